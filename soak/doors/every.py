"""All doors. The worker of one of them does not need the others."""

from soak.doors.command import Command
from soak.doors.library import Library
from soak.doors.web import Web

__all__ = ["DOORS"]

DOORS = (Library, Command, Web)
