"""Where phones find this computer, and how that is shown."""

import io
import ipaddress

import pytest

pytest.importorskip("segno", reason="the extra serve is not installed")

from app.serve.server import (
    draw_code,
    find_lan_address,
    is_loopback,
    is_of_this_computer,
    is_public,
    make_url,
    own_names,
)


@pytest.mark.parametrize(
    ("parts", "url"),
    [
        (("http", "192.168.1.20", 8765, None), "http://192.168.1.20:8765/"),
        (("http", "192.168.1.20", 8765, "abc"), "http://192.168.1.20:8765/?token=abc"),
        (("http", "192.168.1.20", 80, None), "http://192.168.1.20/"),
        (("https", "sudoku.home", 443, None), "https://sudoku.home/"),
        (("https", "sudoku.home", 80, None), "https://sudoku.home:80/"),
        (("http", "fd00::1", 8765, None), "http://[fd00::1]:8765/"),
    ],
)
def test_an_address_is_written_as_browsers_take_it(
    parts: tuple[str, str, int, str | None], url: str
) -> None:
    assert make_url(*parts) == url


def test_the_address_found_is_one_of_this_computer_that_others_may_reach() -> None:
    found = find_lan_address()

    if found is None:
        pytest.skip("this computer is in no network")
    assert not ipaddress.ip_address(found).is_loopback
    assert found in own_names()
    assert is_of_this_computer(found)


@pytest.mark.parametrize(
    ("address", "is_own"),
    [
        ("127.0.0.1", True),
        ("127.1.2.3", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("192.0.2.50", False),
        ("2001:db8::1", False),
        ("fe80::1%nowhere", False),
        ("testclient", False),
    ],
)
def test_a_client_of_this_computer_is_told_from_others(address: str, *, is_own: bool) -> None:
    assert is_of_this_computer(address) is is_own


def test_this_computer_is_always_known_by_its_own_names() -> None:
    assert {"localhost", "127.0.0.1", "::1"} <= own_names()


@pytest.mark.parametrize(
    ("host", "loopback", "public"),
    [
        ("127.0.0.1", True, False),
        ("localhost", True, False),
        ("::1", True, False),
        ("0.0.0.0", False, False),
        ("::", False, False),
        ("192.168.1.20", False, False),
        ("8.8.8.8", False, True),
        ("sudoku.home", False, False),
    ],
)
def test_who_can_reach_an_address_is_known(host: str, loopback: bool, public: bool) -> None:
    assert (is_loopback(host), is_public(host)) == (loopback, public)


class Screen(io.StringIO):
    """A terminal with an encoding."""

    def __init__(self, encoding: str) -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding


def test_the_code_is_drawn_white_on_black_with_its_quiet_zone() -> None:
    screen = Screen("utf-8")

    draw_code("http://192.168.1.20:8765/?token=" + "a" * 32, screen)

    lines = screen.getvalue().splitlines()
    cells = [line.removeprefix("\x1b[97;40m").removesuffix("\x1b[0m") for line in lines]
    assert all(len(line) == len(cells[0]) == 2 * len(cells) - 1 for line in cells)
    assert set(cells[0] + cells[1]) == {"█"}
    assert all(line.startswith("████") and line.endswith("████") for line in cells[:-1])


def test_no_code_is_drawn_where_the_terminal_lacks_the_signs() -> None:
    screen = Screen("ascii")

    draw_code("http://192.168.1.20:8765/", screen)

    assert screen.getvalue() == ""
