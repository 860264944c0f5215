"""The states of the phone page, one after the other."""

from collections.abc import Iterator

from page_rig import Visit
from page_sheets import Sheet


def open_every_panel(visit: Visit, sheet: Sheet) -> Iterator[str]:
    """Walk through the states of the page."""
    yield "start"
    visit.page.click("#open-typing")
    visit.page.fill("#typed", "no puzzle")
    visit.page.click("#type-open")
    yield "typing"
    visit.page.click("#typing-close")
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
