# make demo   solves samples/newspaper.jpg; needs Python 3.11-3.13 and nothing else
# make test   checks format, lint, types and behaviour
# make check   the same, without the tests that are marked as slow
# make bundle  makes dist/sudoku-lens, a folder that needs no Python, and tries it
# make docs    makes build/site, the documentation for a browser, and checks its links
# make hashes   writes constraints-hashes.txt anew, of what constraints.txt pins
# make verified   installs the program into .venv, and only what has a known hash
# make translations   takes new texts of the window up into app/gui/translations, for translators
SHELL := /bin/sh
.DEFAULT_GOAL := demo
.PHONY: demo test check bundle docs hashes verified translations clean

VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
QT_LIBRARIES := libgl1 libegl1 libglib2.0-0 libxkbcommon0 libdbus-1-3 libfontconfig1 libpulse0
APT_INSTALL := apt-get install -y --no-install-recommends

demo: $(VENV)/installed
	@mkdir -p out
	@$(BIN)/sudoku-lens solve samples/newspaper.jpg -o out/newspaper-solved.jpg

# Without results of an earlier run, one process takes nearly twice as long as two.
MYPY := $(BIN)/mypy --num-workers auto

# Tests of one file stay in one process, as they share a server, a browser or a window. Files go in
# order of their names, as those with the fewest tests take the longest.
PYTEST := $(BIN)/python -m pytest -n logical --maxprocesses 4 \
	--dist loadfile --no-loadscope-reorder

test: $(VENV)/installed-for-tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(MYPY)
	$(PYTEST)

check: $(VENV)/installed-for-tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(MYPY)
	$(PYTEST) -m "not slow"

bundle: $(VENV)/installed-for-bundle
	$(BIN)/python -m PyInstaller --noconfirm --log-level WARN packaging/sudoku-lens.spec
	$(BIN)/python packaging/try_bundle.py dist/sudoku-lens

docs: $(VENV)/installed-for-tests
	@$(BIN)/mkdocs build

# Of every file that the index has of a version, for all systems.
hashes: $(VENV)/installed-for-tests
	$(BIN)/python -m uv pip compile --quiet --universal --python-version 3.11 --no-deps \
		--generate-hashes --no-annotate --custom-compile-command "make hashes" \
		constraints.txt --output-file constraints-hashes.txt

# First pip itself, as an old one knows no hashes of constraints. What builds the program is among
# the requirements, so that nothing else is fetched.
VERIFY := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes

verified: $(BIN)/python
	sed -n '/^pip==/,/[^\\]$$/p' constraints-hashes.txt > $(VENV)/pip.txt
	$(VERIFY) -r $(VENV)/pip.txt
	$(BIN)/python packaging/dependencies.py requirements $(EXTRAS) > $(VENV)/requirements.txt
	$(VERIFY) -c constraints-hashes.txt -r $(VENV)/requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps \
		--no-build-isolation .

TRANSLATIONS := app/gui/translations/sudoku_lens_de.ts app/gui/translations/sudoku_lens_fr.ts

translations: $(VENV)/installed
	$(BIN)/pyside6-lupdate app/gui/*.py app/gui/*/*.py app/help/*.py app/report/advice.py \
		solver/human/reasons.py solver/human/position.py solver/human/words.py \
		-no-obsolete -locations none -ts $(TRANSLATIONS)
	$(BIN)/pyside6-lrelease $(TRANSLATIONS)

$(VENV)/installed: $(BIN)/python pyproject.toml constraints.txt
	@echo "Installing Sudoku Lens into $(VENV) ..."
	@$(INSTALL) -e .
	@touch $@

# pip reads dependency groups since 25.1, and Debian's is older.
$(VENV)/installed-for-tests: $(BIN)/python pyproject.toml constraints.txt
	@echo "Installing Sudoku Lens with what training and tests need into $(VENV) ..."
	@$(INSTALL) --upgrade pip
	@$(INSTALL) -e ".[train]" --group dev
	@touch $(VENV)/installed
	@$(install_qt_libraries)
	@touch $@

$(VENV)/installed-for-bundle: $(BIN)/python pyproject.toml constraints.txt
	@echo "Installing Sudoku Lens with what bundles it into $(VENV) ..."
	@$(INSTALL) --upgrade pip
	@$(INSTALL) -e ".[serve]" --group bundle
	@touch $(VENV)/installed
	@$(install_qt_libraries)
	@touch $@

$(BIN)/python:
	@$(make_environment)

clean:
	rm -rf $(VENV) out dist build/sudoku-lens

# Debian ships venv without ensurepip in a package of its own; an outer pip can take its place.
define make_environment
set -e; \
for candidate in "$$PYTHON" python3.13 python3.12 python3.11 python3 python; do \
    test -n "$$candidate" || continue; \
    "$$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
        2>/dev/null && found=$$candidate && break; \
done; \
if test -z "$${found:-}"; then \
    echo "Sudoku Lens needs Python 3.11, 3.12 or 3.13, and none was found." \
        "Install one, or name it: make PYTHON=/path/to/python3.13" >&2; exit 1; \
fi; \
echo "Making $(VENV) with $$("$$found" --version) ..."; \
if "$$found" -c 'import ensurepip, venv' 2>/dev/null; then \
    "$$found" -m venv $(VENV); \
elif "$$found" -c 'import venv' 2>/dev/null && "$$found" -m pip --version >/dev/null 2>&1; then \
    "$$found" -m venv --without-pip $(VENV); \
    "$$found" -m pip --python $(BIN)/python install --quiet -c constraints.txt pip \
        || { rm -rf $(VENV); exit 1; }; \
else \
    version=$$("$$found" -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
    echo "$$found cannot make virtual environments here. On Debian and Ubuntu run:" >&2; \
    echo "    sudo apt-get install python$$version-venv" >&2; exit 1; \
fi
endef

# Qt's wheel needs libraries that a desktop has and a bare Debian has not. Without root the tests
# cannot run, and the line that is missing is said.
define install_qt_libraries
if $(BIN)/python -c 'from PySide6 import QtMultimedia, QtWidgets' 2>/dev/null; then exit 0; fi; \
if ! command -v apt-get >/dev/null; then \
    echo "The window needs Qt's system libraries: sudoku-lens doctor says which." >&2; exit 0; \
fi; \
if test "$$(id -u)" = 0; then sudo=""; \
elif sudo -n true 2>/dev/null; then sudo="sudo"; \
else \
    echo "The window needs system libraries. To install them:" >&2; \
    echo "    sudo $(APT_INSTALL) $(QT_LIBRARIES)" >&2; exit 0; \
fi; \
export DEBIAN_FRONTEND=noninteractive; \
$$sudo apt-get update -qq && $$sudo $(APT_INSTALL) -qq $(QT_LIBRARIES) >/dev/null
endef
