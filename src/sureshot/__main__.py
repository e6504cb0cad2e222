"""``python -m sureshot``: the same as the command."""

from sureshot.cli import main

main()
