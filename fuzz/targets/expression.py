"""Constraints (``where``), and the numbers that formulas compute from columns."""

from __future__ import annotations

from fuzz.targets.formula import _space

WORDS = [
    b"power", b"flow", b"catalyst", b"hot", b" <= ", b" == ", b" != ", b" < ", b" in [", b" not in ", b" and ",
    b" or ", b"not ", b'"Fe"', b"'Co'", b"abs(", b"sqrt(", b"max(", b"min(", b"log(", b"(", b")", b"]", b"**", b"%",
    b"//", b" if ", b" else ", b"lambda:", b"is", b".a", b"()", b"[0]", b"f'{power}'", b"b'a'", b"1j", b"...", b"0x1",
    b"1_0", b"0777", b"\\N{BULLET}", b":=", b"await ", b"yield ",
]  # fmt: skip


def target(data: bytes) -> None:
    """A grid under the constraint, and the number as a feature; if neither can be, the error of the constraint."""
    from sureshot.errors import SureshotError
    from sureshot.space import Space

    text = data.decode("utf-8", "replace")
    refused: SureshotError | None = None
    try:
        grid = Space.grid(power=[8, 10, 12], flow=[0.5, 1.5], catalyst=["Fe", "Co"], hot=[True, False], where=text)
        assert Space.from_dict(grid.to_dict()).content_hash == grid.content_hash
    except SureshotError as error:
        refused = error
    try:
        _space().design("{" + text + "}").matrix(_space())
    except SureshotError as error:
        raise refused or error from None
    if refused is not None:
        raise refused
