"""Writes the man page of the command line, from the command line's own definition.

    python packaging/make_man.py

The page is `packaging/sudoku-lens.1`; a wheel installs it as `share/man/man1/sudoku-lens.1`.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "packaging" / "sudoku-lens.1"


def main() -> int:
    """Write the page."""
    PAGE.write_text(make_page(), encoding="utf-8")
    return 0


def make_page() -> str:
    """Return the page in the language of man, for `sudoku-lens` and all of its commands."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    from app.cli.command_line import command_line

    program = command_line()
    context = program.make_context(
        "sudoku-lens", [], resilient_parsing=True, help_option_names=["-h", "--help"]
    )
    summary, _, rest = program.help.partition("\n")
    lines = [
        '.\\" Made by packaging/make_man.py; not to be edited.',
        '.TH SUDOKU\\-LENS 1 "" "Sudoku Lens" "User Commands"',
        ".SH NAME",
        f"sudoku\\-lens \\- {_escape(summary.strip().rstrip('.'))}",
        ".SH SYNOPSIS",
        ".B sudoku\\-lens",
        "[\\fIOPTIONS\\fR] [\\fICOMMAND\\fR [\\fIARGUMENTS\\fR]]",
        ".SH DESCRIPTION",
        *_paragraphs(rest.strip()),
        ".SH OPTIONS",
        *_options(program, context),
        ".SH COMMANDS",
    ]
    for name in program.list_commands(context):
        lines += _command(name, program.get_command(context, name), context)
    return "\n".join([*lines, ""])


def _command(name: str, command: Any, parent: Any) -> Iterator[str]:
    context = type(parent)(command, info_name=name, parent=parent)
    yield f".SS sudoku\\-lens {_escape(name)}"
    yield f".B sudoku\\-lens {_escape(name)}"
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    yield " ".join(["[\\fIOPTIONS\\fR]", *map(_usage, arguments)])
    yield ".PP"
    yield from _paragraphs(command.help)
    for argument in arguments:
        yield ".TP"
        yield f"\\fI{_escape(argument.metavar)}\\fR"
        yield from _paragraphs(argument.help)
    yield from _options(command, context)
    yield ".PP"
    yield from _paragraphs(command.epilog)


def _usage(argument: Any) -> str:
    name = f"\\fI{_escape(argument.metavar)}\\fR{'...' if argument.nargs != 1 else ''}"
    return name if argument.required else f"[{name}]"


def _options(command: Any, context: Any) -> Iterator[str]:
    for option in command.get_params(context):
        if option.param_type_name != "option" or option.hidden:
            continue
        # The order of --help and -h is another in every run.
        ordered = sorted(option.opts, key=lambda one: one.startswith("--")) + option.secondary_opts
        names = ", ".join(f"\\fB{_escape(one)}\\fR" for one in ordered)
        value = option.metavar
        if value is None:
            value = (option.display_type(context) or "").strip("<>")
        between = "" if not value or value.startswith("[=") else " "
        yield ".TP"
        yield f"{names}{between}{_escape(value)}"
        told = option.help or ""
        if option.default not in (None, False, 0, [], ()) and not option.is_eager:
            told += f" Default: {getattr(option.default, 'value', option.default)}."
        yield from _paragraphs(told)


def _paragraphs(text: str) -> Iterator[str]:
    for number, paragraph in enumerate(text.split("\n\n")):
        if number:
            yield ".PP"
        yield _escape(" ".join(paragraph.split()))


def _escape(text: str) -> str:
    """Return a text as man shows it: a line that begins with a dot would be a request."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    escaped = "".join(one if one.isascii() else f"\\[u{ord(one):04X}]" for one in escaped)
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    sys.exit(main())
