"""The command ``sureshot``, and ``python -m sureshot``: ready to be stopped before anything else is loaded."""

import os
import signal
import sys

__all__ = ["main"]


def _stopped_early(*_: object) -> None:
    """Say that the command was stopped before it began, as :mod:`sureshot.cli` says it later."""
    said = "Stopped: nothing more was recorded."
    os.write(2, f"\n{said}\n".encode())
    if "--json" in sys.argv:
        nothing = '"field": null, "value": null, "fix": null, "place": null'
        os.write(1, f'{{"error": {{"kind": "Stopped", "message": "{said}", {nothing}}}, "code": 130}}\n'.encode())
    os._exit(130)


def main() -> None:
    """The command."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not where somebody has it ignored
        signal.signal(signal.SIGINT, _stopped_early)
    signal.signal(signal.SIGTERM, _stopped_early)
    from sureshot.cli import main as command

    command()


if __name__ == "__main__":
    main()
