"""The report in a real browser: what people see, press and must never run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from report_runs import FIELD, HOSTILE, HOSTILE_NAMES, MARKUP, SCRIPT, run_lines

from arena.catalogue import get_game
from arena.record import MatchRecord, parse_record
from arena.report import matches
from arena.report.data import build
from arena.report.page import render, write

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.xdist_group("browser")
Open = Callable[..., "Page"]
CJK = range(0x4E00, 0x9FFF)


class Watched:
    """What a page did that it must not do, since it was last opened."""

    def __init__(self, page: Page) -> None:
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on(
            "dialog", lambda dialog: (self.complaints.append(f"dialog {dialog.message}"), dialog.dismiss())
        )
        page.on("request", lambda request: self.requests.append(request.url))


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Iterator[Page]:
    """One tab without network for all tests: a new one takes longer than what most of them do in it."""
    context = browser.new_context(reduced_motion="reduce")
    context.set_offline(True)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def tab_watched(tab: Page) -> Watched:
    return Watched(tab)


@pytest.fixture
def watched(tab: Page, tab_watched: Watched) -> Watched:
    """What the tab does in this test; nothing is left in it of the test before."""
    tab.goto("about:blank")
    tab_watched.complaints.clear()
    tab_watched.requests.clear()
    return tab_watched


@pytest.fixture
def open_page(tab: Page, report_file: Path, watched: Watched) -> Iterator[Open]:
    """Open the report; at the end nothing may have been complained about."""

    def opened(file: Path = report_file, width: int = 1280, theme: str = "light", at: str = "") -> Page:
        tab.set_viewport_size({"width": width, "height": 900})
        tab.emulate_media(media="screen", color_scheme="dark" if theme == "dark" else "light")
        tab.goto(file.as_uri() + at)
        tab.wait_for_selector("html[data-ready]")
        return tab

    yield opened
    assert watched.complaints == []


@pytest.fixture
def page(open_page: Open) -> Page:
    return open_page()


def listed(page: Page, column: int) -> list[str]:
    """The texts of one column of the list of matches."""
    return page.locator(f"#list tbody tr > :nth-child({column})").all_inner_texts()


def choose(page: Page, **values: str) -> None:
    for name, value in values.items():
        page.select_option(f"#filters [name={name}]", label=value)


def open_first(page: Page) -> None:
    page.locator("#list tbody button").first.click()


def said(page: Page) -> str:
    return page.locator("#said").inner_text()


# --- opening ---------------------------------------------------------------------------------------


def test_it_opens_from_a_file_without_network_and_without_complaint(
    page: Page, report_file: Path, watched: Watched
) -> None:
    assert page.locator("h1").inner_text() == "spring-cup"
    assert page.locator("#list tbody tr").count() == 100
    assert watched.requests == [report_file.as_uri()]


def test_choosing_a_game_shows_its_tables_alone(page: Page) -> None:
    page.select_option("#game-choice", "grid")
    assert page.locator("#standings caption:visible").all_inner_texts() == ["Subtraction Square"]
    assert page.locator("#crosstable caption:visible").all_inner_texts() == ["Subtraction Square"]


def test_an_empty_run_says_so(browser: Browser, tmp_path: Path) -> None:
    write(render(build("empty", [])), tmp_path / "empty.html")
    page = browser.new_page()
    complaints = Watched(page).complaints
    page.goto((tmp_path / "empty.html").as_uri())
    assert "No match of this run has been finished yet" in page.locator("main").inner_text()
    page.close()
    assert complaints == []


# --- cells, filters, order -------------------------------------------------------------------------


def test_a_cell_of_the_crosstable_opens_the_matches_of_that_pair(
    page: Page, records: list[MatchRecord]
) -> None:
    cell = (
        page.locator("#crosstable .panel:visible tbody tr", has_text="perfect").first.locator("button").nth(2)
    )
    one, other = cell.get_attribute("title").split(" against ")
    cell.click()
    pairs = set(zip(listed(page, 3), listed(page, 4), strict=True))
    assert pairs == {(one, other), (other, one)}
    expected = [record for record in records if {bot.name for bot in record.bots} == {one, other}]
    assert len(listed(page, 1)) == len(expected)
    assert page.evaluate("document.activeElement.id") == "matches-title"


def test_a_cell_of_one_game_opens_the_matches_of_that_game(page: Page) -> None:
    page.select_option("#game-choice", "linked")
    page.locator("#crosstable .panel:visible button").first.click()
    assert set(listed(page, 2)) == {"Linked Subtract"}


def test_a_count_of_faults_opens_just_those_matches(page: Page, records: list[MatchRecord]) -> None:
    button = page.locator("#endings .panel:visible [data-ending$=' crashed']").first
    count = int(button.inner_text())
    button.click()
    assert set(listed(page, 6)) == {"crashed"}
    assert len(listed(page, 1)) == count


def test_filters_leave_what_fits_and_say_how_many(page: Page, records: list[MatchRecord]) -> None:
    choose(page, bot="hasty", result="lost", game="Subtract a Prime")
    fitting = [
        record.id
        for record in records
        if record.game == "primes"
        and any(
            bot.name == "hasty" and record.result.winner == 2 - seat for seat, bot in enumerate(record.bots)
        )
    ]
    assert listed(page, 1) == fitting
    assert page.locator("#count").inner_text() == f"{len(fitting)} of {len(records)} matches"
    page.click("#filters [type=reset]")
    page.locator("#list tbody tr").nth(99).wait_for()


def test_text_is_searched_in_ids_and_details(page: Page) -> None:
    page.fill("#filters [name=text]", "GRID.0.1.")
    assert listed(page, 1) == ["grid.0.1.1a", "grid.0.1.1b", "grid.0.1.2a", "grid.0.1.2b"]


def test_the_list_sorts_both_ways_and_tells_it(page: Page) -> None:
    head = page.locator("#list th", has_text="Moves")
    head.locator("button").click()
    lengths = [int(text) for text in listed(page, 7)]
    assert head.get_attribute("aria-sort") == "descending"
    assert lengths == sorted(lengths, reverse=True)
    head.locator("button").press("Enter")
    lengths = [int(text) for text in listed(page, 7)]
    assert head.get_attribute("aria-sort") == "ascending"
    assert lengths == sorted(lengths)


def test_standings_sort_by_any_column(page: Page) -> None:
    panel = page.locator("#standings .panel:visible")
    panel.locator("th button", has_text="Bot").click()
    names = panel.locator("tbody th").all_inner_texts()
    assert names == sorted(names, key=str.lower)
    panel.locator("th button", has_text="Rating").click()
    ratings = [
        float(value) for value in panel.locator("td[data-v]").evaluate_all("all => all.map(e => e.dataset.v)")
    ]
    assert all(a >= b for a, b in pairwise(ratings))


def test_more_matches_come_when_asked_for(page: Page) -> None:
    page.click("#more")
    assert page.locator("#list tbody tr").count() == 200


# --- stepping --------------------------------------------------------------------------------------


def test_the_keyboard_steps_through_a_match(page: Page, records: list[MatchRecord]) -> None:
    record = records[0]
    page.locator("#list tbody button").first.press("Enter")
    page.keyboard.press("Home")
    assert said(page) == "The start."
    page.keyboard.press("ArrowRight")
    assert said(page).startswith("Opening move 1 of 1")
    page.keyboard.press("ArrowRight")
    mover = record.bots[record.moves[0].seat - 1].name
    assert said(page).startswith(f"Move 1 of {len(record.moves)}: {mover} played {record.moves[0].move}.")
    page.keyboard.press("ArrowLeft")
    assert said(page).startswith("Opening move")
    page.keyboard.press("End")
    assert f"The end: {record.bots[record.result.winner - 1].name} won." in said(page)
    page.keyboard.press("ArrowRight")
    assert "The end:" in said(page)
    page.keyboard.press("Escape")
    assert not page.locator("#viewer").is_visible()
    assert page.evaluate("document.activeElement.textContent") == record.id


def test_buttons_slider_and_list_of_moves_step_too(page: Page) -> None:
    page.fill("#filters [name=text]", "squares.0.1.")
    open_first(page)
    page.click("[data-step=first]")
    assert said(page) == "The start."
    page.click("[data-step=on]")
    assert page.locator("#moves [aria-current]").get_attribute("data-ply") == "1"
    page.locator("#moves button").nth(2).click()
    assert page.locator("#ply").input_value() == "3"
    page.locator("#ply").fill("2")
    assert page.locator("#moves [aria-current]").get_attribute("data-ply") == "2"
    page.click("#next")
    assert page.locator("#viewer-facts").inner_text().count("squares.0.1.1b") == 1


AT_EACH_PLY = """count => [...Array(count).keys()].map(ply => {
    const [slider, stage, info] = ['#ply', '#stage', '#info'].map(id => document.querySelector(id));
    slider.value = ply;
    slider.dispatchEvent(new Event('input'));
    return {state: stage.dataset.state, info: info.textContent};
})"""


@pytest.mark.parametrize("game_id", ["squares", "primes", "sum-to-zero", "grid", "linked"])
def test_every_position_is_drawn_as_the_rules_have_it(
    page: Page, records: list[MatchRecord], game_id: str
) -> None:
    game = get_game(game_id)
    for record in [record for record in records if record.game == game_id][::14]:
        state = game.start(game.options(record.options), record.seed)
        views = [game.view(state, 1)]
        for text in [*record.opening, *(move.move for move in record.moves)]:
            state = game.apply(state, game.read_move(text))
            views.append(game.view(state, 1))
        page.fill("#filters [name=text]", record.id)
        open_first(page)
        assert [shown["state"] for shown in page.evaluate(AT_EACH_PLY, len(views))] == views
        page.keyboard.press("Escape")


def test_a_game_the_page_cannot_draw_shows_its_own_pictures(
    open_page: Open, records: list[MatchRecord], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matches, "DRAWN_BY_THE_PAGE", frozenset())
    squares = [record for record in records if record.game == "squares"][:4]
    write(render(build("plug-in", squares)), tmp_path / "pictures.html")
    page = open_page(tmp_path / "pictures.html")
    open_first(page)
    page.keyboard.press("Home")
    assert page.locator("#stage pre").inner_text() == f"Total: {squares[0].options['total']}"


def test_blunders_are_marked_with_what_would_have_won(page: Page) -> None:
    page.check("#filters [name=blunder]")
    open_first(page)
    mark = page.locator("#moves .mark", has_text="??").first
    assert "winning" in mark.inner_text()
    page.locator("#moves button", has_text="??").first.click()
    assert "Blunder: " in said(page)


def test_clocks_add_up_to_the_times_of_the_record(page: Page, records: list[MatchRecord]) -> None:
    open_first(page)
    page.keyboard.press("End")
    used = [sum(move.ms for move in records[0].moves if move.seat == seat) for seat in (1, 2)]
    for shown, ms in zip(page.locator(".clock .time").all_inner_texts(), used, strict=True):
        number, unit = shown.split()
        assert float(number) * {"µs": 0.001, "ms": 1, "s": 1000}[unit] == pytest.approx(ms, rel=0.02)


def test_a_fault_shows_who_failed_how_and_stderr(page: Page, records: list[MatchRecord]) -> None:
    record = next(record for record in records if record.result.ending == "crashed")
    choose(page, ending="crashed")
    open_first(page)
    winner, loser = (record.bots[seat - 1].name for seat in (record.result.winner, record.result.at_fault))
    assert (
        page.locator("#verdict").inner_text() == f"{winner} won. {loser} (crashed): {record.result.detail}."
    )
    assert page.locator("#stderr").inner_text().endswith("KeyError: 3")


def test_the_last_step_of_a_match_lost_by_a_fault_is_the_fault(
    page: Page, records: list[MatchRecord]
) -> None:
    record = next(record for record in records if record.result.ending == "crashed" and record.moves)
    choose(page, ending="crashed")
    page.fill("#filters [name=text]", record.id)
    open_first(page)
    winner, loser = (record.bots[seat - 1].name for seat in (record.result.winner, record.result.at_fault))
    page.locator("#moves button").nth(-2).click()
    assert said(page).startswith(f"Move {len(record.moves)} of {len(record.moves)}: ")
    assert "The end" not in said(page)
    position = page.locator("#stage").inner_text()
    page.keyboard.press("ArrowRight")
    assert said(page) == f"Here {loser} crashed: {record.result.detail}. The end: {winner} won."
    assert page.locator("#moves [aria-current]").inner_text().split()[-2:] == ["✗", "crashed"]
    assert page.locator(".clock.turn").inner_text().split()[-1] == "crashed"
    assert page.locator("#stage").inner_text() == position
    assert page.locator("[data-step=on]").get_attribute("aria-disabled") == "true"


def test_a_match_that_the_rules_decided_ends_with_its_last_move(
    page: Page, records: list[MatchRecord]
) -> None:
    record = next(record for record in records if record.result.ending == "completed")
    page.fill("#filters [name=text]", record.id)
    open_first(page)
    assert page.locator("#moves li").count() == len(record.opening) + len(record.moves)


def test_an_address_with_a_match_opens_it(open_page: Open) -> None:
    page = open_page(at="#match=grid.0.1.2b")
    assert page.locator("#viewer-facts").inner_text().count("match grid.0.1.2b") == 1


def test_an_address_that_is_changed_on_the_open_page_opens_its_match(page: Page) -> None:
    for match in ("grid.0.1.2b", "squares.0.1.1a"):
        page.evaluate("hash => { location.hash = hash; }", f"#match={match}")
        page.wait_for_function(
            "id => document.querySelector('#viewer-facts').textContent.includes(`match ${id}`)", arg=match
        )
    assert page.locator("#viewer").is_visible()


def test_info_lines_stand_under_the_name_of_the_bot_that_printed_them(
    page: Page, records: list[MatchRecord]
) -> None:
    record = next(one for one in records if one.moves and one.moves[0].info and one.result.winner)
    page.fill("#filters [name=text]", record.id)
    open_first(page)
    assert page.locator("#info-title").is_hidden()
    page.keyboard.press("ArrowRight")
    name = record.bots[record.moves[0].seat - 1].name
    assert page.locator("#info-title").inner_text() == f"Info lines of {name}"
    assert page.locator("#info").inner_text() == record.moves[0].info[0]


def test_without_javascript_the_tables_of_all_games_stand_apart(browser: Browser, report_file: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report_file.as_uri())
    boxes = [panel.bounding_box() for panel in page.locator("#standings .panel").all()]
    context.close()
    assert len(boxes) == 6
    for above, below in pairwise(boxes):
        assert above is not None
        assert below is not None
        assert below["y"] - above["y"] - above["height"] > 20


def test_think_times_say_that_moves_that_never_came_are_not_among_them(page: Page) -> None:
    assert "never came, as in a timeout, is not counted" in page.locator("#think-time .lead").inner_text()


# --- untrusted text --------------------------------------------------------------------------------


def test_hostile_names_info_and_stderr_are_only_text(open_page: Open, tmp_path: Path) -> None:
    played = [parse_record(line) for line in run_lines([*HOSTILE, *FIELD[:1]], rounds=1)]
    write(render(build(HOSTILE_NAMES[0], played)), tmp_path / "hostile.html")
    page = open_page(tmp_path / "hostile.html")
    assert page.locator("h1").inner_text() == HOSTILE_NAMES[0]
    assert HOSTILE_NAMES[1] in page.locator("#standings .panel:visible tbody").inner_text()
    infos: set[str] = set()
    open_first(page)
    for _ in range(25):
        plies = page.locator("#moves li").count() + 1
        infos.update(shown["info"] for shown in page.evaluate(AT_EACH_PLY, plies))
        page.click("#next")
    shown = "\n".join(map(str, infos))
    assert SCRIPT in shown
    assert MARKUP in shown
    assert "\\u202e" in shown
    assert page.title() == f"{HOSTILE_NAMES[0]} – arena report"
    assert page.locator("script").count() == 2
    assert page.locator("img, svg[onload], [onerror]").count() == 0


def test_the_policy_stops_a_script_even_if_one_got_in(page: Page, watched: Watched) -> None:
    page.evaluate(
        """() => {
            const script = document.createElement('script');
            script.textContent = "document.title = 'owned'";
            document.body.append(script);
            const box = document.createElement('div');
            box.innerHTML = '<img src=x onerror="document.title = \\'owned\\'">';
            document.body.append(box);
        }"""
    )
    page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    assert page.title() == "spring-cup – arena report"
    assert all("Content Security Policy" in complaint for complaint in watched.complaints)
    watched.complaints.clear()


# --- for everybody ---------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [320, 360, 768, 1280])
def test_the_page_never_scrolls_sideways(open_page: Open, width: int) -> None:
    page = open_page(width=width)
    for game in ("all", "squares", "grid"):
        page.select_option("#game-choice", game)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    for game in ("Subtraction Squares", "Sum to Zero", "Subtraction Square"):
        choose(page, game=game)
        open_first(page)
        assert page.evaluate("(d => d.scrollWidth - d.clientWidth)(document.querySelector('#viewer'))") <= 0
        page.keyboard.press("Escape")


BROKEN_WORDS = """() => [...document.querySelectorAll('#list .name')].flatMap(name => {
    const text = name.firstChild;
    return [...text.data.matchAll(/[\\w]{1,14}/g)].filter(word => {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        return range.getClientRects().length > 1;
    }).map(word => word[0]);
})"""


def test_names_in_the_list_break_between_words_only(open_page: Open, tmp_path: Path) -> None:
    write(render(build("names", map(parse_record, run_lines(FIELD, rounds=1)))), tmp_path / "names.html")
    page = open_page(tmp_path / "names.html")
    for width in (360, 650, 800, 1000):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(BROKEN_WORDS) == [], width


def test_a_phone_shows_how_each_match_ended_and_what_bold_means(open_page: Open) -> None:
    page = open_page(width=360)
    assert page.locator("#list thead th:visible").all_inner_texts() == ["Match", "Seat 1", "Seat 2", "Ending"]
    assert "The winner's name is bold" in page.locator("#matches .lead").inner_text()


def test_the_bar_at_the_top_shows_every_section(page: Page) -> None:
    for width in (700, 800, 960, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.locator(".menu ul").evaluate("list => list.scrollWidth - list.clientWidth") == 0, width


def test_what_goes_on_to_the_right_fades_until_it_is_scrolled_there(open_page: Open) -> None:
    page = open_page(width=360)
    for box in (page.locator(".menu ul"), page.locator("#crosstable .scroll:visible")):
        box.and_(page.locator(".more-right")).wait_for()
        box.evaluate("box => { box.scrollLeft = box.scrollWidth; }")
        box.and_(page.locator(":not(.more-right)")).wait_for()


AXES = """() => [...document.querySelectorAll('.axis')].filter(axis => axis.checkVisibility()).flatMap(axis => {
    const labels = [...axis.querySelectorAll('text')].filter(label => label.checkVisibility());
    const places = labels.map(label => label.getBoundingClientRect());
    const cell = axis.closest('th').getBoundingClientRect();
    return labels.filter((label, at) => places[at].left < cell.left || places[at].right > cell.right ||
        places[at].left < (places[at - 1]?.right ?? 0)).map(label => label.textContent);
})"""


def test_labels_of_axes_stay_in_their_column_and_apart(page: Page) -> None:
    for width in (360, 700, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(AXES) == [], width


CONTRASTS = """() => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 1;
    const pen = canvas.getContext('2d', {willReadFrequently: true});
    const rgba = colour => {
        pen.clearRect(0, 0, 1, 1); pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1);
        return [...pen.getImageData(0, 0, 1, 1).data];
    };
    const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
        .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = element => {
        for (let at = element; at; at = at.parentElement) {
            if (at.matches?.('.rank')) return rgba(getComputedStyle(at.parentElement.querySelector('.point')).fill);
            const colour = rgba(getComputedStyle(at).backgroundColor);
            if (colour[3] === 255) return colour;
        }
        return rgba('white');
    };
    const found = new Map();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || !element.checkVisibility()) continue;
        if (element.closest('.sr, script, style, option, :disabled, [aria-disabled=true]')) continue;
        const style = getComputedStyle(element);
        const ink = rgba(element instanceof SVGElement ? style.fill : style.color);
        const [a, b] = [light(ink), light(behind(element))].sort((x, y) => y - x);
        const named = e => `${e.tagName}.${e.getAttribute('class') ?? ''}`;
        const key = `${named(element)} in ${named(element.parentElement)}`;
        found.set(key, Math.min(found.get(key) ?? 99, (a + 0.05) / (b + 0.05)));
    }
    return [...found];
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_all_text_has_the_contrast_of_wcag_aa(open_page: Open, theme: str) -> None:
    page = open_page(theme=theme)
    pairs: list[Any] = page.evaluate(CONTRASTS)
    page.check("#filters [name=blunder]")
    choose(page, game="Sum to Zero")
    open_first(page)
    page.keyboard.press("End")
    pairs += page.evaluate(CONTRASTS)
    assert len(pairs) > 40
    assert [pair for pair in pairs if pair[1] < 4.5] == []


def test_every_table_has_a_caption_and_headers_and_every_control_a_name(page: Page) -> None:
    assert page.locator("table:not(:has(caption))").count() == 0
    assert page.locator("th:not([scope])").count() == 0
    nameless = """() => [...document.querySelectorAll('button, select, input')].filter(
        e => !(e.ariaLabel || e.labels?.length || e.textContent.trim() || e.id === 'viewer-title')).length"""
    assert page.evaluate(nameless) == 0
    assert page.locator("html[lang=en]").count() == 1
    assert page.locator("#said[aria-live=polite]").count() == 1


def test_on_paper_there_are_tables_and_no_controls(page: Page) -> None:
    page.emulate_media(media="print")
    assert page.locator("#standings table:visible").count() == 1
    assert page.locator("nav:visible, #filters:visible, #more:visible").count() == 0
    assert "Choose" not in page.locator("main").inner_text()
    lines = page.locator(".link").evaluate_all("all => all.map(e => getComputedStyle(e).textDecorationLine)")
    assert set(lines) == {"none"}


def test_five_thousand_matches_stay_under_five_megabytes(open_page: Open, tmp_path: Path) -> None:
    played = [parse_record(line) for line in run_lines([*FIELD, *HOSTILE], rounds=12)[:5000]]
    wordy = [record.model_copy(update={"moves": tuple(_wordy(record))}) for record in played]
    size = write(render(build("large", wordy)), tmp_path / "large.html")
    assert size < 5_000_000
    page = open_page(tmp_path / "large.html")
    assert page.locator("#count").inner_text().startswith("5,000 matches")
    assert page.locator("#list tbody tr").count() == 100


def _wordy(record: MatchRecord) -> Iterator[Any]:
    """Moves with long info lines, no two alike and hard to deflate: more than any page could hold."""
    from random import Random

    random = Random(record.id)
    for move in record.moves:
        yield move.model_copy(update={"info": ("".join(map(chr, random.choices(CJK, k=200))),)})
