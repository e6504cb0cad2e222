"""The key that signs cookies where there are no tokens: kept for the user who serves, so that a page that was open
while the server was started again can still be sent, and people are still called by their names.

It lies in the user's own folder, not beside the store, which may be shared or copied.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from sureshot.errors import SureshotError
from sureshot.web.security.secret_file import refuse_if_others_may_read, write_secret

__all__ = ["kept_key", "key_path"]

#: Characters of a key, at least.
LENGTH = 32


def key_path() -> Path | None:
    """Where it lies, if the user has a folder."""
    base = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA")
    try:
        return (Path(base) if base else Path.home() / ".local" / "state") / "sureshot" / "session.key"
    except RuntimeError:  # nobody's home
        return None


def kept_key() -> str:
    """The key of this user, made when it is first wanted; one for this server's life where it can't be kept."""
    path = key_path()
    try:
        if path is None:
            raise FileNotFoundError
        if path.exists():
            refuse_if_others_may_read(path)
            key = path.read_text(encoding="ascii").strip()
            if len(key) >= LENGTH:
                return key
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        key = secrets.token_urlsafe(LENGTH)
        write_secret(path, key)
        return key
    except (OSError, ValueError, SureshotError):  # SureshotError: others may read it, or it can't be written
        return secrets.token_urlsafe(LENGTH)
