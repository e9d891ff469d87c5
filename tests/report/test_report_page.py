"""The page as a file: complete in itself, safe, and written whole or not at all."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from report_runs import HOSTILE, HOSTILE_NAMES, run_lines

from arena.errors import UsageError
from arena.record import Ending, parse_record
from arena.report.data import build
from arena.report.page import check_target, render, write

FOLDER = Path(__file__).parents[2] / "arena" / "report"


class Elements(HTMLParser):
    """The elements of a page with their attributes, and the text within style and script."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {"style": [], "script": []}
        self._within = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self._within = tag if tag in self.texts else ""

    def handle_endtag(self, tag: str) -> None:
        self._within = ""

    def handle_data(self, data: str) -> None:
        if self._within:
            self.texts[self._within].append(data)


@pytest.fixture(scope="module")
def page() -> str:
    records = map(parse_record, run_lines(HOSTILE, rounds=1, games=["squares", "grid"]))
    return render(build(HOSTILE_NAMES[1], records))


@pytest.fixture(scope="module")
def elements(page: str) -> Elements:
    return Elements(page)


def test_it_refers_to_nothing_outside(elements: Elements) -> None:
    addresses = [
        value
        for _, attributes in elements.found
        for name, value in attributes.items()
        if name in {"src", "href", "action", "data", "srcset", "poster"}
    ]
    assert addresses
    assert all(str(address).startswith("#") for address in addresses)
    assert "url(" not in "".join(elements.texts["style"])
    assert "@import" not in "".join(elements.texts["style"])


def test_it_has_no_inline_handlers_or_styles(elements: Elements) -> None:
    names = {name for _, attributes in elements.found for name in attributes}
    assert not {name for name in names if name.startswith("on") or name == "style"}


def test_the_policy_names_the_one_style_and_the_one_program(elements: Elements) -> None:
    policy = next(
        a["content"] for tag, a in elements.found if a.get("http-equiv") == "Content-Security-Policy"
    )
    program = elements.texts["script"][-1]
    for directive, text in (("style-src", elements.texts["style"][0]), ("script-src", program)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in str(policy)
    assert "unsafe" not in str(policy)
    assert str(policy).startswith("default-src 'none';")


def test_no_hostile_text_becomes_an_element(elements: Elements) -> None:
    tags = [tag for tag, _ in elements.found]
    assert "img" not in tags
    assert tags.count("script") == 2
    assert not [attributes for tag, attributes in elements.found if tag == "svg" and "onload" in attributes]


def test_names_are_escaped_and_templates_in_them_are_not_run(page: str) -> None:
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "{{ 7*7 }}" in page
    assert '<bdi class="name">49</bdi>' not in page


def test_the_program_writes_no_markup() -> None:
    program = (FOLDER / "app.js").read_text(encoding="utf-8")
    writes = r"(inner|outer)HTML\s*=|insertAdjacentHTML|document\.write|DOMParser"
    runs = r"\beval\(|new Function|</script|<!--"
    assert not re.search(f"{writes}|{runs}", program)


def test_the_program_has_words_for_every_fault() -> None:
    program = (FOLDER / "app.js").read_text(encoding="utf-8")
    words = program.partition("const FAILED = {")[2].partition("};")[0]
    assert set(re.findall(r'"?([a-z-]+)"?: "', words)) == {
        ending.value for ending in Ending if ending.is_fault
    }


def test_the_same_records_give_the_same_page() -> None:
    lines = run_lines(HOSTILE, rounds=1, games=["primes"])
    pages = {render(build("cup", map(parse_record, lines))) for _ in range(2)}
    assert len(pages) == 1


def test_a_page_is_replaced_whole_and_nothing_else_is_left(tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    target.write_text("old")
    assert write("new é", target) == 6
    assert target.read_text(encoding="utf-8") == "new é"
    assert os.listdir(tmp_path) == ["page.html"]


def test_a_page_that_cannot_be_put_in_place_leaves_no_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(source: object, target: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    (tmp_path / "page.html").write_text("old")
    with pytest.raises(UsageError, match=r"page\.html cannot be written: No space left on device"):
        write("new", tmp_path / "page.html")
    assert os.listdir(tmp_path) == ["page.html"]
    assert (tmp_path / "page.html").read_text() == "old"


def test_a_page_can_be_read_by_whom_the_umask_allows(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write("page", tmp_path / "page.html")
    finally:
        os.umask(before)
    assert (tmp_path / "page.html").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("target", "what"),
    [
        (".", "is a folder"),
        ("missing/page.html", "there is no folder"),
        ("pipe", "is no file"),
        ("-", "-o names the page to write"),
        ("x" * 300, "cannot be written: File name too long"),
    ],
)
def test_a_wrong_target_is_told_before_the_work(tmp_path: Path, target: str, what: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match=what):
        check_target(tmp_path / target)


def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    (tmp_path / "link.html").symlink_to("page.html")
    write("page", tmp_path / "link.html")
    assert (tmp_path / "link.html").is_symlink()
    assert (tmp_path / "page.html").read_text() == "page"
