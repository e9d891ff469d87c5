"""Every benchmark, one after another, with the machine and the versions at the top.

    python benchmarks/all.py [-o FILE]

Takes about ten minutes on a machine that has nothing else to do. Compare ratios and shares from run to run, not times.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent
PARTS = {
    "A move against a bare C loop": ["move.py"],
    "Matches a second, starts, commands": ["matches.py"],
    "What a run costs around its matches": ["run.py"],
    "Growth by powers of ten": ["growth.py"],
    "Standings": ["standings.py"],
    "Ratings": ["ratings.py"],
    "Verify": ["verify.py"],
    "Analysis": ["analysis.py"],
    "Solve": ["solve.py"],
    "The perfect bot": ["perfect.py"],
    "Dask against -j 2": ["cluster.py"],
}


def machine() -> str:
    """What it ran on."""
    model = "unknown processor"
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line.partition(":")[2].strip() for line in info.read_text().splitlines() if "model name" in line
        ]
        model = names[0] if names else model
    packages = ", ".join(
        f"{name} {version(name)}" for name in ("bot-arena", "pydantic", "numpy", "multiprocess")
    )
    return (
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC; {os.cpu_count()} cores, {model}; {platform.system()} "
        f"{platform.release()}; Python {platform.python_version()}; {packages}; load {os.getloadavg()[0]:.1f}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="Run every benchmark.")
    parser.add_argument("-o", "--output", type=Path, help="write the tables to this file as well")
    output = parser.parse_args().output
    texts, failed = [f"# Benchmarks\n\n{machine()}\n"], []
    print(texts[0], flush=True)
    for title, words in PARTS.items():
        done = subprocess.run([sys.executable, HERE / words[0], *words[1:]], capture_output=True, text=True)
        if done.returncode:
            failed.append(title)
        text = f"## {title}\n\n```\n{done.stdout.strip() or done.stderr.strip()[-2000:]}\n```\n"
        print(text, flush=True)
        texts.append(text)
    texts.append(
        f"Beyond a limit, or failed: {', '.join(failed)}\n" if failed else "Everything within its limits.\n"
    )
    print(texts[-1])
    if output is not None:
        output.write_text("\n".join(texts), encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
