# SPDX-License-Identifier: Apache-2.0
"""The report in a real browser: Chromium without a window.  Skipped where there is none."""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sealwire_lab import files
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.ui import WebDriverWait

PHONE, DESK = 360, 1300


def browser(*, script: bool = True) -> webdriver.Chrome:
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    driver = shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.skip("no browser: Debian's packages are chromium and chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for word in ("--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"):
        options.add_argument(word)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    if not script:
        options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))


@pytest.fixture(scope="module")
def chromium() -> Iterator[webdriver.Chrome]:
    made = browser()
    yield made
    made.quit()


@pytest.fixture(scope="module")
def folder(chromium: webdriver.Chrome, report_files: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site on disk."""
    made = tmp_path_factory.mktemp("report") / "report"
    files.write_all(made, report_files)
    return made


@pytest.fixture
def index(chromium: webdriver.Chrome, folder: Path) -> webdriver.Chrome:
    size(chromium, DESK)
    chromium.get("about:blank")  # the address alone may differ only behind the #, which loads nothing
    chromium.get((folder / "index.html").as_uri())
    return chromium


def size(chromium: webdriver.Chrome, width: int, scheme: str = "light") -> None:
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width == PHONE}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    wanted = [{"name": "prefers-color-scheme", "value": scheme}]
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": wanted})


def shown(chromium: webdriver.Chrome) -> list[WebElement]:
    return chromium.find_elements(By.CSS_SELECTOR, "table.ranking tbody tr:not([hidden])")


def facets(chromium: webdriver.Chrome, name: str) -> list[str]:
    script = """
        const rows = document.querySelectorAll("table.ranking tbody tr:not([hidden])");
        return [...rows].map((row) => row.dataset[arguments[0]]);
    """
    return list(chromium.execute_script(script, name))


def choose(chromium: webdriver.Chrome, name: str, value: str) -> None:
    Select(chromium.find_element(By.NAME, name)).select_by_visible_text(value)


def column(chromium: webdriver.Chrome, name: str) -> list[float | None]:
    """Figures of a column by the name on its button, of the rows that are shown."""
    script = """
        const head = [...document.querySelectorAll("table.ranking thead th")].findIndex(
            (cell) => cell.querySelector("button").textContent === arguments[0]);
        return [...document.querySelectorAll("table.ranking tbody tr:not([hidden])")].map(
            (row) => row.cells[head].dataset.value);
    """
    return [float(text) if text else None for text in chromium.execute_script(script, name)]


def button(chromium: webdriver.Chrome, name: str) -> WebElement:
    found = chromium.find_elements(By.CSS_SELECTOR, "table.ranking thead button")
    return next(head for head in found if head.text.startswith(name))


def test_no_page_complains_or_is_wider_than_the_screen(chromium: webdriver.Chrome, folder: Path) -> None:
    # Of the cores one for each block diagram: their pages have one form.
    some = ("omd-sha512-r1", "omd-blake2b-x8", "pomd-sha512-r1", "sivomdp-sha512-r1")
    pages = [*sorted(folder.glob("*.html")), *(folder / "cores" / f"{name}.html" for name in some)]
    assert len(pages) == 10
    few = [folder / name for name in ("index.html", "plots.html", "cores/omd-blake2b-x8.html")]
    for width, scheme, chosen in ((PHONE, "light", pages), (DESK, "dark", few)):
        size(chromium, width, scheme)
        for page in chosen:
            chromium.get(page.as_uri())
            inside, outside = chromium.execute_script(
                "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
            )
            assert inside <= outside <= width, f"{page.name} is {inside} pixels wide on {width}"
            assert chromium.get_log("browser") == [], page.name
            broken = "return [...document.images].filter((i) => i.complete && !i.naturalWidth).map((i) => i.src)"
            assert chromium.execute_script(broken) == []


def test_published_figures_are_shown_when_asked_for(index: webdriver.Chrome) -> None:
    assert "published" not in facets(index, "evidence")
    ours = len(shown(index))
    index.find_element(By.NAME, "published").click()
    assert "published" in facets(index, "evidence")
    assert index.find_element(By.ID, "count").text == f"{len(shown(index))} of {len(shown(index))} results."
    index.find_element(By.CSS_SELECTOR, "button[type=reset]").click()
    WebDriverWait(index, 10).until(lambda page: len(shown(page)) == ours)  # the page filters after the form is reset


def test_filters_leave_what_fits_all_of_them(index: webdriver.Chrome) -> None:
    choose(index, "target", "ecp5")
    assert set(facets(index, "target")) == {"ecp5"}
    choose(index, "architecture", "r1")
    assert set(facets(index, "target")) == {"ecp5"} and set(facets(index, "architecture")) == {"r1"}
    assert index.find_element(By.ID, "count").text.startswith(f"{len(shown(index))} of ")
    choose(index, "target", "all")
    assert set(facets(index, "architecture")) == {"r1"} and len(set(facets(index, "target"))) > 1


def test_every_choice_of_a_filter_fits_some_row(index: webdriver.Chrome) -> None:
    script = """
        const form = document.querySelector("form.filters");
        form.elements.published.checked = true;
        return [...form.querySelectorAll("select")].map((select) => {
            const found = [...select.options].slice(1).map((option) => {
                select.value = option.value;
                select.dispatchEvent(new Event("change", { bubbles: true }));
                const rows = document.querySelectorAll("table.ranking tbody tr:not([hidden])");
                return [option.value, [...rows].map((row) => row.dataset[select.name])];
            });
            select.value = "";
            return [select.name, found];
        });
    """
    filters = index.execute_script(script)
    assert [name for name, _ in filters] == ["family", "key", "architecture", "target", "interface", "evidence"]
    for name, choices in filters:
        for choice, rows in choices:
            assert set(rows) == {choice}, (name, choice)


def test_a_choice_that_fits_nothing_is_said(index: webdriver.Chrome) -> None:
    choose(index, "target", "virtex7")
    assert shown(index) == [] and "No result fits" in index.find_element(By.ID, "count").text


def test_the_address_keeps_the_choice(index: webdriver.Chrome) -> None:
    choose(index, "target", "xcup")
    address = index.current_url
    assert address.endswith("#target=xcup")
    index.get("about:blank")
    index.get(address)
    assert set(facets(index, "target")) == {"xcup"}
    assert Select(index.find_element(By.NAME, "target")).first_selected_option.text == "xcup"


@pytest.mark.parametrize(("name", "first_up"), [("throughput", False), ("area", True), ("cycles", True)])
def test_sorts_both_ways_with_empty_figures_last(index: webdriver.Chrome, name: str, first_up: bool) -> None:
    head = button(index, name)
    for up in (first_up, not first_up):
        head.click()
        figures = column(index, name)
        there = [figure for figure in figures if figure is not None]
        assert len(there) > 2 and there == sorted(there, reverse=not up)
        assert figures[: len(there)] == there, "empty figures come last"
        cell = head.find_element(By.XPATH, "..")
        assert cell.get_attribute("aria-sort") == ("ascending" if up else "descending")
    assert len(index.find_elements(By.CSS_SELECTOR, "th[aria-sort]")) == 1


def test_sorts_names_by_keyboard(index: webdriver.Chrome) -> None:
    head = button(index, "core")
    head.send_keys(Keys.ENTER)
    names = [row.find_element(By.CSS_SELECTOR, "th a").text for row in shown(index)]
    assert names == sorted(names)


def outside(chromium: webdriver.Chrome, selector: str) -> list[str]:
    """Texts of what is displayed but not wholly between the edges of the screen."""
    script = """
        const width = document.documentElement.clientWidth;
        return [...document.querySelectorAll(arguments[0])].filter((cell) => {
            const box = cell.getBoundingClientRect();
            return box.width > 0 && (box.left < 0 || box.right > width || cell.scrollWidth > cell.clientWidth + 1);
        }).map((cell) => cell.textContent);
    """
    return list(chromium.execute_script(script, selector))


def test_a_phone_shows_the_figures_of_the_ranking(index: webdriver.Chrome) -> None:
    size(index, PHONE)
    index.refresh()
    first = shown(index)[0]
    for name in ("TP/A", "throughput", "latency", "clock", "area"):
        cell = first.find_element(By.CSS_SELECTOR, f'td[data-label^="{name}"]')
        assert cell.is_displayed() and any(letter.isdigit() for letter in cell.text)
        label = index.execute_script("return getComputedStyle(arguments[0], '::before').content", cell)
        assert name in label
        box = cell.rect
        assert box["x"] >= 0 and box["x"] + box["width"] <= PHONE, name
        assert box["y"] + box["height"] <= 900, f"{name} is below the first screen"
    assert outside(index, "table.ranking tbody tr:not([hidden]) > *") == []
    index.find_element(By.CSS_SELECTOR, "details.filters summary").click()
    choose(index, "target", "ecp5")
    Select(index.find_element(By.ID, "order")).select_by_visible_text("area, LUT")
    areas = column(index, "area")
    assert len(areas) > 2 and areas == sorted(areas, key=lambda area: area or 0)


def test_a_phone_shows_tables_and_plots_whole(chromium: webdriver.Chrome, folder: Path) -> None:
    size(chromium, PHONE)
    for name in ("plots", "errata", "calibration", "method", "cores", "cores/omd-blake2b-x8"):
        chromium.get((folder / f"{name}.html").as_uri())
        assert outside(chromium, "td, tbody th, figure img") == [], name
    chromium.get((folder / "plots.html").as_uri())
    chosen = "return [...document.querySelectorAll('figure img')].map((image) => image.currentSrc)"
    sources = chromium.execute_script(chosen)
    assert sources and all(source.endswith("-narrow.svg") for source in sources)


def test_a_desk_shows_the_whole_ranking(index: webdriver.Chrome) -> None:
    size(index, 1280)
    index.refresh()
    assert outside(index, "table.ranking thead th, table.ranking tbody tr:not([hidden]) td") == []


def test_the_first_tab_leads_to_the_content(index: webdriver.Chrome) -> None:
    index.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    active = index.switch_to.active_element
    assert active.text == "To the content" and active.get_attribute("href").endswith("#content")


def test_without_script_the_table_is_there_and_the_filters_are_not(folder: Path) -> None:
    plain = browser(script=False)
    try:
        plain.get((folder / "index.html").as_uri())
        assert not plain.find_element(By.CSS_SELECTOR, "form.filters").is_displayed()
        rows = plain.find_elements(By.CSS_SELECTOR, "table.ranking tbody tr")
        assert len(rows) > 20 and all(row.is_displayed() for row in rows)
    finally:
        plain.quit()


def test_works_from_a_web_server_and_fetches_nothing_else(chromium: webdriver.Chrome, folder: Path) -> None:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None: ...

    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        base = f"http://127.0.0.1:{server.server_port}/"
        for page in ("index.html", "plots.html", "cores/omd-sha512-r1.html"):
            chromium.get(base + page)
            names = chromium.execute_script("return performance.getEntriesByType('resource').map((e) => e.name)")
            assert names and all(name.startswith(base) or name.startswith("data:") for name in names)
        chromium.get("about:blank")
        server.shutdown()
