"""`sudoku-lens serve`: the page for phones, until Ctrl-C."""

import logging
import re
import sys
import time

from app.cli.command_options import ServeOptions
from app.serve.security.known_clients import load_token, phones_file
from app.serve.server import PhoneServer, ServeSettings, draw_code, is_public, read_address
from app.terminal.console import printable, say
from app.terminal.exit_codes import ExitCode, UsageError, stopping_on_signals
from app.terminal.named_files import check_folder, make_folder
from app.workers.child_process import Talk, count_cores
from vision.media.whole_files import remove_all_temporaries

logger = logging.getLogger(__name__)

_NAME = re.compile(r"[\w-]+(\.[\w-]+)*\.?")
"""Of a computer: neither an address of a page nor a port belongs to it."""

_FEWEST_WORKERS = 2
"""With one, whoever asks for much keeps all others waiting."""

_MOST_WORKERS = 4
"""More processes than this only hold memory: it takes many phones to keep so many busy."""

_LOOK_SECONDS = 0.2


def serve_page(options: ServeOptions) -> ExitCode:
    """Serve the page until the process is asked to end, which is no failure.

    Raises:
        MissingError: if the extra is not installed, or the networks cannot be run.
        UsageError: if the port is taken, the host is none of this computer's, a name is none, the
            folder cannot be made, or the file holds no token.
    """
    if options.keep is not None:
        check_folder(options.keep)
        make_folder(options.keep)
        remove_all_temporaries(options.keep)
    server = PhoneServer(_settings_of(options))
    try:
        server.start()
        with stopping_on_signals() as stop:
            try:
                _tell(server, options)
                while not stop():
                    time.sleep(_LOOK_SECONDS)
                    server.check()
            finally:
                server.stop()
    except KeyboardInterrupt:
        pass  # how it is meant to end
    return ExitCode.SOLVED


def _settings_of(options: ServeOptions) -> ServeSettings:
    token_file, certificate, key = options.token_file, options.certificate, options.key
    names = tuple(options.names or ())
    for name in names:
        if not _NAME.fullmatch(name) and read_address(name) is None:
            raise UsageError(
                f"{name!r} is no name; write it as in --name sudoku.home, without port"
            )
    if (certificate is None) != (key is None):
        raise UsageError("--certificate and --key go together; name both files")
    if certificate is not None and options.has_authority:
        raise UsageError("--certificate and --authority do the same in two ways; choose one")
    given = None if certificate is None or key is None else (certificate, key)
    workers = options.workers or min(max(count_cores(), _FEWEST_WORKERS), _MOST_WORKERS)
    return ServeSettings(
        options.host,
        options.port,
        names,
        is_https=options.is_https or options.has_authority or given is not None,
        certificate=given,
        has_authority=options.has_authority,
        is_live=not options.no_live,
        keep=options.keep,
        phones_file=phones_file() if options.remembers else None,
        program_token=None if token_file is None else load_token(token_file),
        workers=workers,
        waiting=8 * workers,
        talk=Talk(options.verbose, options.quiet),
    )


def _tell(server: PhoneServer, options: ServeOptions) -> None:
    """Print where the page is, and on a terminal the code to scan."""
    from app.serve.api.photo_tasks import find_fault

    is_terminal = sys.stdout.isatty()
    if is_terminal:
        draw_code(server.url, sys.stdout)
    sys.stdout.write(f"{printable(server.url)}\n")
    sys.stdout.flush()
    keep_fault = None
    if options.keep is not None:
        keep_fault = find_fault(options.keep, server.settings.least_free_bytes)
    if keep_fault is not None:
        logger.error(
            "no photo can be kept in %s: %s; make room there, or name another folder with --keep",
            options.keep,
            keep_fault,
        )
    if options.quiet:
        return
    if server.is_local_only and options.host is None:
        say("no address in a local network was found, so only this computer can open the page")
        say("connect to the Wi-Fi of the phone and start again, or name an address with --host")
    elif server.is_local_only:
        say("only this computer can open the page; leave --host out to let phones in")
    elif is_public(server.host):
        say(f"{server.host} can be reached from the internet; a firewall should stand before it")
    if server.authority is not None:
        say(f"phones that warn install the authority from {server.place}authority; its SHA-256 is")
        say(server.authority.fingerprint)
        for name in server.authority.left_out:
            say(f"the authority may not vouch for {name}; use a name that ends in .home or .local")
    elif server.certificate is not None and options.certificate is None:
        say("the phone warns of a certificate that it does not know; go on if its SHA-256 is")
        say(server.certificate.fingerprint)
    if options.workers == 1:
        say("one worker does one thing at a time for all phones; leave --workers out for more")
    if options.keep is not None and keep_fault is None:
        say(f"photos and reports are kept in {options.keep}")
    if options.token_file is not None:
        say(f"programs send 'Authorization: Bearer' and the token in {options.token_file}")
    path = server.settings.phones_file
    if path is not None:
        say(f"phones stay known after a restart; to forget them, delete {path}")
    what = "scan the code" if is_terminal else "open the address"
    say(f"{what} on a phone in the same network; Ctrl-C ends")
