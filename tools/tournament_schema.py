"""Writes docs/tournament.schema.json, the JSON Schema of the tournament file, from the code that reads the file.

    python tools/tournament_schema.py

`tests/test_tournament.py` holds the published schema to the code's: whoever changes a key runs it again.
"""

from __future__ import annotations

import json
from pathlib import Path

from arena.tournament import json_schema

SCHEMA = Path(__file__).parent.parent / "docs" / "tournament.schema.json"

if __name__ == "__main__":
    SCHEMA.write_text(json.dumps(json_schema(), indent=2) + "\n", encoding="utf-8")
