"""The states of the phone page, one after the other, and what axe says of one."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from page_rig import Visit
from page_sheets import Sheet

_GRAVE: Final = ("serious", "critical")


def open_every_panel(visit: Visit, sheet: Sheet) -> Iterator[str]:
    """Walk through the states of the page."""
    yield "start"
    visit.page.click("#open-typing")
    visit.page.fill("#typed", "no puzzle")
    visit.page.click("#type-open")
    yield "typing"
    visit.page.click("#typing-close")
    visit.page.click("#open-making")
    visit.page.wait_for_selector("#making-act")
    yield "making"
    visit.page.click("#making .icon")
    visit.page.click("#open-lessons")
    visit.page.wait_for_selector("#lessons-page svg")
    yield "lessons"
    visit.page.click("#lessons .icon")
    visit.solve(sheet.path)
    visit.rest()
    yield "solved"
    for name in ("hint", "check", "share"):
        visit.page.click(f"#ask-{name}")
        visit.rest()
        yield name
    visit.page.click("#panel-share [data-close]")
    visit.tap(sheet, sheet.empty[0])
    visit.rest()
    yield "pad"
    visit.page.click("#open-menu")
    yield "menu"


def find_grave_faults(visit: Visit) -> list[str]:
    """Return what axe calls serious on what is seen now, with the elements."""
    axe = pytest.importorskip("axe_playwright_python.base", reason="axe is missing")
    visit.rest()
    if not visit.page.evaluate("'axe' in window"):
        visit.page.evaluate(axe.AXE_SCRIPT)  # takes as long as a look at the page
    found: dict[str, Any] = visit.page.evaluate("axe.run({ resultTypes: ['violations'] })")
    assert len(found["passes"]) > 5  # it did look
    return [
        f"{one['id']}: {[node['html'] for node in one['nodes']]}"
        for one in found["violations"]
        if one["impact"] in _GRAVE
    ]
