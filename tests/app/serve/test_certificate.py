"""Certificates: made on the spot, the user's own, and of an authority that phones trust."""

import hashlib
import ipaddress
import os
import shutil
import socket
import ssl
import stat
import subprocess
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from present import present

pytest.importorskip("cryptography", reason="the extra serve is not installed")
pytest.importorskip("fastapi", reason="the extra serve is not installed")

from command_rig import RunCommand
from cryptography import x509
from page_rig import Browser, opening
from page_states import find_grave_faults

from app.serve.security.certificate import (
    LIFE_DAYS,
    RENEWAL_DAYS,
    SIGNED_DAYS,
    Authority,
    load_authority,
    load_certificate,
    load_given,
)
from app.serve.security.known_clients import state_folder
from app.serve.server import PhoneServer, ServeSettings
from app.terminal.exit_codes import UsageError

NAMES = ("192.168.1.20", "localhost", "fe80::1", "Desk.local")
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def names_in(path: Path) -> set[str]:
    read = x509.load_pem_x509_certificate(path.read_bytes())
    extension = read.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    return {str(name.value) for name in extension.value}


def test_a_browser_that_trusts_it_reaches_the_server_by_each_name(tmp_path: Path) -> None:
    made = load_certificate(NAMES, tmp_path)
    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server.load_cert_chain(made.path)
    client = ssl.create_default_context(cafile=made.path)

    for name in ("192.168.1.20", "localhost", "fe80::1", "desk.local"):
        ours, theirs = socket.socketpair()
        greeting = threading.Thread(target=lambda end=theirs: server.wrap_socket(end, True).close())
        greeting.start()
        with client.wrap_socket(ours, server_hostname=name) as secure:
            assert secure.version() in ("TLSv1.2", "TLSv1.3")
        greeting.join()
        theirs.close()


def test_names_that_no_network_has_are_left_out(tmp_path: Path) -> None:
    made = load_certificate(["rätsel.home", "ä" * 100, "", "localhost"], tmp_path)

    assert names_in(made.path) == {"xn--rtsel-gra.home", "localhost"}


def test_it_is_kept_for_the_next_time(tmp_path: Path) -> None:
    first = load_certificate(NAMES, tmp_path, NOW)

    again = load_certificate(NAMES[:2], tmp_path, NOW + timedelta(days=300))

    assert again == first
    assert len(list(tmp_path.iterdir())) == 1


def test_it_is_made_anew_before_it_ends_and_when_a_clock_was_wrong(tmp_path: Path) -> None:
    first = load_certificate(NAMES, tmp_path, NOW)
    assert first.ends - NOW < timedelta(days=LIFE_DAYS)

    soon = load_certificate(NAMES, tmp_path, first.ends - timedelta(days=RENEWAL_DAYS - 1))
    before = load_certificate(NAMES, tmp_path, NOW)

    assert len({first.fingerprint, soon.fingerprint, before.fingerprint}) == 3


def test_a_new_address_is_added_to_the_old_ones(tmp_path: Path) -> None:
    first = load_certificate(["192.168.1.20"], tmp_path, NOW)

    moved = load_certificate(["10.0.0.7"], tmp_path, NOW)
    back = load_certificate(["192.168.1.20"], tmp_path, NOW)

    assert moved.fingerprint != first.fingerprint
    assert back == moved
    assert names_in(moved.path) == {"192.168.1.20", "10.0.0.7"}


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="Windows has other rights")
def test_only_its_owner_reads_the_key(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        made = load_certificate(NAMES, tmp_path / "new" / "folder")
    finally:
        os.umask(before)

    assert stat.S_IMODE(made.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(made.path.parent.stat().st_mode) == 0o700


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="Windows has other rights")
def test_a_key_that_others_could_read_is_replaced(tmp_path: Path) -> None:
    first = load_certificate(NAMES, tmp_path)
    first.path.chmod(0o644)

    again = load_certificate(NAMES, tmp_path)

    assert again.fingerprint != first.fingerprint
    assert stat.S_IMODE(again.path.stat().st_mode) == 0o600


@pytest.mark.parametrize("damage", ["", "no certificate", "half", "another key"])
def test_what_is_damaged_is_replaced(tmp_path: Path, damage: str) -> None:
    first = load_certificate(NAMES, tmp_path)
    pem = first.path.read_text()
    if damage == "half":
        damage = pem[: len(pem) // 2]
    elif damage == "another key":
        other = load_certificate(NAMES, tmp_path / "other").path.read_text()
        split = pem.index("-----BEGIN CERTIFICATE")
        damage = other[: other.index("-----BEGIN CERTIFICATE")] + pem[split:]
    first.path.write_text(damage)

    again = load_certificate(NAMES, tmp_path)

    ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(again.path)
    assert again.fingerprint != first.fingerprint


def test_the_fingerprint_is_the_one_that_browsers_show(tmp_path: Path) -> None:
    made = load_certificate(NAMES, tmp_path)

    pem = made.path.read_text()
    der = ssl.PEM_cert_to_DER_cert(pem[pem.index("-----BEGIN CERTIFICATE") :])
    assert made.fingerprint.replace(":", "").lower() == hashlib.sha256(der).hexdigest()
    assert len(made.fingerprint) == 95


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(UsageError, match="certificate cannot be kept"):
        load_certificate(NAMES, tmp_path / "file")


def test_it_is_kept_where_such_things_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert state_folder() == tmp_path / "sudoku-lens"

    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert state_folder() == tmp_path / ".local" / "state" / "sudoku-lens"


HOSTS = ("192.168.1.20", "rechner", "rechner.local", "sudoku.home", "localhost", "::1")


def trusting(authority: Authority) -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.load_verify_locations(cadata=authority.der)
    return context


def shake_hands(authority: Authority, name: str, path: Path | None = None) -> None:
    """Let a client that trusts an authority meet a server by a name, or raise."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(path or authority.signed.path)
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = trusting(authority).wrap_bio(back, there, server_hostname=name)
    host = server.wrap_bio(there, back, server_side=True)
    for _ in range(4):
        for side in (client, host):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
    assert client.getpeercert()


@pytest.mark.parametrize("name", HOSTS)
def test_who_trusts_the_authority_reaches_the_server_by_any_name(tmp_path: Path, name: str) -> None:
    shake_hands(load_authority(HOSTS, "rechner", tmp_path), name)


def test_it_stays_the_same_and_its_certificates_are_short(tmp_path: Path) -> None:
    first = load_authority(HOSTS, "rechner", tmp_path, NOW)
    again = load_authority(HOSTS, "rechner", tmp_path, NOW)

    assert again.fingerprint == first.fingerprint
    assert again.signed.fingerprint != first.signed.fingerprint
    assert again.signed.ends - NOW < timedelta(days=SIGNED_DAYS)


def test_names_of_the_internet_are_left_out_and_told(tmp_path: Path) -> None:
    made = load_authority([*HOSTS, "example.com", "8.8.8.8", "evilhome"], "rechner", tmp_path)

    assert made.left_out == ("8.8.8.8", "evilhome", "example.com")
    with pytest.raises(ssl.SSLError, match="Hostname mismatch"):
        shake_hands(made, "example.com")


@pytest.mark.parametrize("name", ["example.com", "8.8.8.8", "bank.example", "2001:db8::1"])
def test_whoever_has_its_key_can_vouch_for_nothing_on_the_internet(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "app.serve.security.certificate._is_covered", lambda *_: True
    )  # as a thief does
    made = load_authority([name], "rechner", tmp_path)

    with pytest.raises(ssl.SSLError, match="permitted subtree violation"):
        shake_hands(made, name)


def test_it_can_sign_no_other_authority_and_says_what_it_is_for(tmp_path: Path) -> None:
    made = x509.load_der_x509_certificate(load_authority(HOSTS, "rechner", tmp_path).der)
    extensions = made.extensions

    basic = extensions.get_extension_for_class(x509.BasicConstraints)
    names = extensions.get_extension_for_class(x509.NameConstraints)
    assert (basic.critical, basic.value.ca, basic.value.path_length) == (True, True, 0)
    assert names.critical
    networks = [
        one.value for one in names.value.permitted_subtrees or () if isinstance(one, x509.IPAddress)
    ]
    assert all(ipaddress.ip_network(one).is_private or "100.64" in str(one) for one in networks)


def test_a_certificate_of_the_user_is_taken_with_its_key(tmp_path: Path) -> None:
    made = load_certificate(HOSTS, tmp_path)

    given = load_given(made.path, made.path)

    assert (given.fingerprint, given.key) == (made.fingerprint, made.path)


@pytest.mark.parametrize(
    ("files", "told"),
    [
        (("missing.pem", "phone-page.pem"), "cannot read"),
        (("phone-page.pem", "text.txt"), "no certificate and key in PEM form"),
        (("phone-page.pem", "other/phone-page.pem"), "is not the key of"),
    ],
)
def test_files_that_do_not_fit_are_told(tmp_path: Path, files: tuple[str, str], told: str) -> None:
    load_certificate(HOSTS, tmp_path)
    load_certificate(HOSTS, tmp_path / "other")
    (tmp_path / "text.txt").write_text("text")

    with pytest.raises(UsageError, match=told):
        load_given(tmp_path / files[0], tmp_path / files[1])


def test_a_certificate_that_has_ended_is_told(tmp_path: Path) -> None:
    made = load_certificate(HOSTS, tmp_path)

    with pytest.raises(UsageError, match="has ended on"):
        load_given(made.path, made.path, made.ends + timedelta(days=1))


@pytest.mark.parametrize(
    "options",
    [
        ["--certificate", "a.pem"],
        ["--key", "a.pem"],
        ["--certificate", "a.pem", "--key", "a.pem", "--authority"],
        ["--certificate", "a.pem", "--key", "a.pem"],
    ],
)
def test_the_command_ends_with_2_and_advice(sudoku_lens: RunCommand, options: list[str]) -> None:
    done = sudoku_lens("serve", "--host", "127.0.0.1", "--port", "0", *options)

    assert done.returncode == 2
    assert "--certificate" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PhoneServer]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    settings = ServeSettings("127.0.0.1", 0, is_https=True, has_authority=True, workers=1)
    server = PhoneServer(settings)
    server.start()
    yield server
    server.stop()


@pytest.mark.slow
def test_a_phone_finds_the_authority_and_installs_it(served: PhoneServer, tmp_path: Path) -> None:
    authority = present(served.authority)
    with (
        opening(["--ignore-certificate-errors"]) as chromium,
        Browser(chromium).visit(served.url, ignore_https_errors=True) as visit,
    ):
        visit.get_ready()
        visit.page.click("#open-menu")
        visit.page.click("#menu-authority")
        visit.page.wait_for_selector("main.steps")
        told = visit.page.inner_text("main")
        faults = find_grave_faults(visit)
        with visit.page.expect_download() as download:
            visit.page.click("a.button >> nth=0")
        path = tmp_path / "installed.crt"
        download.value.save_as(path)

        assert faults == []
        assert authority.fingerprint in told
        assert "Settings" in told
        assert "Einstellungen" in told
        assert path.read_bytes() == authority.der


@pytest.mark.slow
def test_a_browser_that_has_installed_it_warns_no_more(served: PhoneServer, tmp_path: Path) -> None:
    certutil = shutil.which("certutil")
    if certutil is None:
        pytest.skip("certutil is not installed, by which Chromium is told whom to trust")
    (tmp_path / "authority.crt").write_bytes(present(served.authority).der)
    store = tmp_path / ".pki" / "nssdb"
    store.mkdir(parents=True)
    where = ["-d", f"sql:{store}"]
    subprocess.run([certutil, *where, "-N", "--empty-password"], check=True)
    install = ["-A", "-n", "sudoku", "-t", "C,,", "-i", str(tmp_path / "authority.crt")]
    subprocess.run([certutil, *where, *install], check=True)
    with (
        opening(env={**os.environ, "HOME": str(tmp_path)}) as chromium,
        Browser(chromium).visit(served.url) as visit,
    ):
        visit.get_ready()
        visit.until("async () => Boolean(await caches.match('/'))")

        assert visit.page.evaluate("isSecureContext")
        assert visit.page.evaluate("typeof navigator.mediaDevices.getUserMedia") == "function"
