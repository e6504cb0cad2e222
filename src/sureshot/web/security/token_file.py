"""The file of tokens: read again when it changed, so that a token that was taken back is refused at once."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sureshot.documents import JSON_BYTES, read_json, whole_file
from sureshot.errors import InvalidInput, StorageError, SureshotError
from sureshot.web.security.secret_file import alone, refuse_if_others_may_read, write_secret
from sureshot.web.security.tokens import Token, Tokens, new_tokens, with_token, without_token

__all__ = ["TokenFile", "add_token", "read_tokens", "remove_token"]


class TokenFile:
    """The tokens of a running server. To look whether the file changed costs some microseconds.

    A file that went away or can't be read lets nobody in.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._seen = _stamp(path)
        self._tokens = read_tokens(path)

    def now(self) -> Tokens:
        """What the file holds now."""
        stamp = _stamp(self.path)
        with self._lock:
            if stamp != self._seen:
                self._tokens = read_tokens(self.path)
                self._seen = stamp  # of before it was read: a change meanwhile is seen the next time
            return self._tokens

    def key(self) -> str:
        """What signs the cookies: as it was last known where the file can't be read, for the page that says so."""
        with suppress(SureshotError):
            self.now()
        return self._tokens.key


def read_tokens(path: Path) -> Tokens:
    """The tokens in a file."""
    try:
        refuse_if_others_may_read(path)
        kept: Any = read_json(whole_file(path, JSON_BYTES), path.name)
        return Tokens(key=kept["key"], tokens=tuple(Token(**one) for one in kept["tokens"]))
    except StorageError as error:
        error.field = error.field or "tokens"
        raise
    except OSError as error:
        raise _unreadable(path, error) from error
    except (ValueError, TypeError, KeyError) as error:  # what it says may be a secret, and is not shown
        raise InvalidInput(
            f"{path} must be a file of tokens", field="tokens", fix="make one with sureshot token add NAME"
        ) from error


def add_token(path: Path, name: str, role: str, *, made: str) -> str:
    """A new token, kept in the file, which is made if it is missing; its text is given back and nowhere kept."""
    with alone(path):
        kept, text = with_token(read_tokens(path) if path.exists() else new_tokens(), name, role, made=made)
        _write(path, kept)
    return text


def remove_token(path: Path, name: str) -> None:
    """Take a token out of the file: whoever has it is logged out."""
    read_tokens(path)  # a file that is not there is said to be so, rather than not writable
    with alone(path):
        _write(path, without_token(read_tokens(path), name))


def _write(path: Path, tokens: Tokens) -> None:
    write_secret(path, json.dumps({"key": tokens.key, "tokens": [asdict(one) for one in tokens.tokens]}, indent=1))


def _stamp(path: Path) -> tuple[int, int, int]:
    """What is another when the file was written again: each time it is another file."""
    try:
        found = path.stat()
    except OSError as error:
        raise _unreadable(path, error) from error
    return found.st_mtime_ns, found.st_size, found.st_ino


def _unreadable(path: Path, error: OSError) -> StorageError:
    return StorageError(
        f"the file of tokens {path} can't be read ({error.strerror})",
        field="tokens",
        value=str(path),
        fix=f"make one with sureshot token add NAME --tokens {path}",
    )
