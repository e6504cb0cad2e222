"""Inputs made out of others, from a seed: where no coverage can guide (and, beside it, where a format knows better)."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

__all__ = ["LONGEST", "mutated", "mutations"]

#: The most bytes of an input, unless it begins with more.
LONGEST = 1 << 16
#: Numbers that something always stumbles over.
_NUMBERS = [
    *b"0 -1 1 2 127 128 255 256 65535 65536 1048576 2147483647 2147483648 4294967296 9223372036854775807".split(),
    *b"18446744073709551616 1e308 1e309 -1e309 1e-320 nan inf -inf 1e154 1e155 131e999999999 0x10 1_000 007".split(),
    b"9" * 400,
    "١٢٣".encode(),
    "½".encode(),
]
_TEXTS = [
    b"", b" ", b"\t", b"\r", b"\n", b"\r\n", b"\0", b'"', b"'", b"\\", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80",
    b"\x80", b"\x1b[2J", b"=1+1", b"../", b"%s", b"{}", b"<a>", b"&amp;", "\u202e".encode(), "\u00a0".encode(),
    "İ".encode(), "ß".encode(), "\ufeff".encode(), "𝟙".encode(), b"A" * 5_000,
]  # fmt: skip


def mutated(data: bytes, rng: random.Random, words: Sequence[bytes] = (), other: bytes = b"") -> bytes:
    """A few changes at places that chance says: bits, bytes, stretches, numbers, words, and parts of another input."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 5, 8))):
        at = rng.randint(0, len(changed))
        to = min(len(changed), at + rng.choice((1, 1, 2, 4, 16, 64)))
        kind = rng.randrange(9)
        if kind == 0 and at < len(changed):
            changed[at] ^= 1 << rng.randrange(8)
        elif kind == 1 and at < len(changed):
            changed[at] = rng.randrange(256)
        elif kind == 2:
            del changed[at:to]
        elif kind == 3:
            changed[at:at] = changed[at:to] * rng.choice((1, 2, 10, 100))
        elif kind == 4:
            changed[at : rng.choice((at, to))] = rng.choice(_NUMBERS)
        elif kind == 5:
            changed[at : rng.choice((at, to))] = rng.choice(_TEXTS)
        elif kind == 6 and words:
            changed[at : rng.choice((at, to))] = rng.choice(words)
        elif kind == 7 and other:
            begin = rng.randrange(len(other))
            changed[at:to] = other[begin : begin + rng.choice((1, 4, 16, 64, 256))]
        elif kind == 8:
            del changed[at:]  # torn off
    return bytes(changed[: max(LONGEST, len(data))])


def mutations(
    seeds: Sequence[bytes],
    seed: int,
    *,
    words: Sequence[bytes] = (),
    own: Callable[[bytes, random.Random], bytes] | None = None,
) -> Callable[[], bytes]:
    """A function that gives another input at each call; with a format's ``own`` changes, half of them are such."""
    rng, begun = random.Random(seed), list(seeds) or [b""]

    def following() -> bytes:
        data = rng.choice(begun)
        if own is not None and rng.random() < 0.5:
            return own(data, rng)
        return mutated(data, rng, words, rng.choice(begun))

    return following
