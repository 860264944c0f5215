"""Where the bundled program begins."""

import multiprocessing

from app.__main__ import main

if __name__ == "__main__":
    # A bundle has no interpreter of its own to start workers with: it starts itself, and this
    # line knows such a start.
    multiprocessing.freeze_support()
    main()
