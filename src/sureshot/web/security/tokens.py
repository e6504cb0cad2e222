"""Tokens: who may do what. A token is shown once, when it is made; its file keeps only its SHA-256.

A token is 32 random bytes, so its hash can't be guessed by trying, and a slow hash would add nothing.
"""

from __future__ import annotations

import hmac
import re
import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal, get_args

from sureshot.errors import Conflict, InvalidInput, unknown_name

__all__ = ["ROLES", "Role", "Token", "Tokens", "new_token", "new_tokens", "with_token", "without_token"]

#: What a person may do: look; ask, tell and correct; make, rename, archive and delete campaigns too.
Role = Literal["read", "bench", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)
#: The longest name: it stands beside every event of its owner.
NAME_LENGTH = 100
#: Characters of the key that signs cookies, at least.
KEY_LENGTH = 32
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One token, without its text."""

    id: str
    name: str  # of the person or the machine that has it: the author of what is recorded
    role: Role
    sha256: str
    made: str

    def __post_init__(self) -> None:
        if not all(isinstance(one, str) and one for one in (self.id, self.name, self.role, self.made, self.sha256)):
            raise ValueError("something of a token is missing")
        if self.role not in ROLES:
            raise ValueError(f"there is no role {self.role!r}")
        if not _HASH.fullmatch(self.sha256):
            raise ValueError("a hash is not one of SHA-256")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """What the file holds."""

    key: str  # signs the cookies of those who logged in
    tokens: tuple[Token, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.key, str) or len(self.key) < KEY_LENGTH:
            raise ValueError("the key is missing or short")

    def __repr__(self) -> str:  # an error or a log must not say the key
        return f"Tokens({len(self.tokens)})"

    def find(self, text: str) -> Token | None:
        """The token of this text. All are compared, each in the same time whatever differs.

        >>> kept, text = with_token(new_tokens(), "Ann", "bench", made="2026-11-18")
        >>> kept.find(text).name, kept.find("sureshot_guess")
        ('Ann', None)
        """
        digest, found = _digest(text), None
        for one in self.tokens:
            if hmac.compare_digest(one.sha256, digest):
                found = one
        return found

    def get(self, number: str) -> Token | None:
        """The token of this id; None if it was removed."""
        return next((one for one in self.tokens if one.id == number), None)


def new_tokens() -> Tokens:
    """No token yet, and a new key."""
    return Tokens(key=secrets.token_urlsafe(KEY_LENGTH))


def new_token(name: str, role: str, *, made: str) -> tuple[Token, str]:
    """A token for somebody, and its text, which is kept nowhere."""
    if role not in ROLES:
        raise unknown_name("role", role, ROLES, field="role")
    if not name or name != name.strip() or not name.isprintable() or len(name) > NAME_LENGTH:
        raise InvalidInput(
            f"`name` must say who has the token: 1 to {NAME_LENGTH} printable characters, no spaces at the ends",
            got=name,
            fix="write the name of a person or a machine",
        )
    text = f"sureshot_{secrets.token_urlsafe(32)}"
    kept: Any = role
    return Token(id=secrets.token_hex(16), name=name, role=kept, sha256=_digest(text), made=made), text


def with_token(kept: Tokens, name: str, role: str, *, made: str) -> tuple[Tokens, str]:
    """The tokens with one more, and the text of that one."""
    new, text = new_token(name, role, made=made)
    if any(one.name == name for one in kept.tokens):
        raise Conflict(f"{name!r} has a token already", field="name", fix="remove it first, or choose another name")
    return Tokens(key=kept.key, tokens=(*kept.tokens, new)), text


def without_token(kept: Tokens, name: str) -> Tokens:
    """The tokens without that of somebody."""
    if all(one.name != name for one in kept.tokens):
        if not kept.tokens:
            raise InvalidInput("nobody has a token", field="name", value=name, fix="make one with sureshot token add")
        raise unknown_name("token", name, [one.name for one in kept.tokens], field="name")
    return Tokens(key=kept.key, tokens=tuple(one for one in kept.tokens if one.name != name))


def _digest(text: str) -> str:
    return sha256(text.encode(errors="replace")).hexdigest()
