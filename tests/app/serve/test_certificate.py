"""The certificate that `--https` makes on the spot."""

import hashlib
import os
import socket
import ssl
import stat
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

pytest.importorskip("cryptography", reason="the extra serve is not installed")

from cryptography import x509

from app.serve.security.certificate import LIFE_DAYS, RENEWAL_DAYS, load_certificate
from app.serve.security.known_clients import state_folder
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
