"""Makes the README's pictures from a real `arena demo`: docs/images/terminal.svg and docs/images/report.png.

    python tools/pictures.py

The report's picture needs chromium (see CONTRIBUTING.md). Nothing in the pictures is drawn by hand.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.text import Text

IMAGES = Path(__file__).parent.parent / "docs" / "images"
WIDTH = 100


def demo(folder: Path) -> str:
    """Run the demo in this folder; what it prints."""
    command = [sys.executable, "-m", "arena", "demo"]
    done = subprocess.run(command, cwd=folder, env={**os.environ, "COLUMNS": str(WIDTH)}, capture_output=True,
                          text=True, check=True)  # fmt: skip
    return done.stdout


def draw_terminal(output: str, path: Path) -> None:
    """The demo's output as a terminal shows it. No font is fetched from anywhere."""
    with open(os.devnull, "w") as nowhere:
        console = Console(record=True, width=WIDTH, file=nowhere)
        console.print(Text("$ arena demo", style="bold green"))
        console.print(Text(output.rstrip(), overflow="fold"))
        drawing = console.export_svg(title="arena demo", unique_id="arena-demo")
    drawing = re.sub(r"@font-face \{.*?\}\s*", "", drawing, flags=re.DOTALL)
    path.write_text(drawing.replace("Fira Code, monospace", "monospace"), encoding="utf-8")


def photograph(page: Path, path: Path) -> None:
    """The top of the report, as a browser shows it."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 1100, "height": 900}, color_scheme="light")
        tab.goto(page.as_uri())
        tab.screenshot(path=path, clip={"x": 0, "y": 50, "width": 1100, "height": 850})
        browser.close()


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        draw_terminal(demo(folder), IMAGES / "terminal.svg")
        photograph(folder / "arena-demo" / "report.html", IMAGES / "report.png")


if __name__ == "__main__":
    main()
