"""The window. Qt is imported here only; what can be decided without it is decided in `app`."""

from app.gui.lasting_constants import keep_constants

keep_constants()
