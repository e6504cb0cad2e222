"""Tables as Excel workbooks: a zip of XML, changed inside its parts and as the bytes that it is."""

from __future__ import annotations

import io
import random
import tempfile
import zipfile
from contextlib import suppress
from pathlib import Path

from fuzz.mutating import mutated as changed

WORDS = [
    b"<row>", b'<row r="1048576">', b'<c r="XFD1048576" t="s"><v>0</v></c>', b'<c t="inlineStr"><is><t>a</t></is></c>',
    b'<dimension ref="A1:XFD1048576"/>', b't="s"', b't="b"', b't="e"', b't="d"', b't="n"', b'r="A0"', b'r=""',
    b's="999"',
    b"<f>1+1</f>", b'<f t="shared" ref="A1:A9" si="0"/>', b'<!DOCTYPE a [<!ENTITY b "c">]>', b"&b;", b'count="-1"',
    b'numFmtId="14"', b"<v>1e400</v>", b"<v></v>", b'<mergeCell ref="A1:XFD9"/>', b"PK\x03\x04", b"xl/worksheets/",
    b'Target="../../x"', b'<sheet name="a" sheetId="1" r:id="rId9"/>', b'date1904="1"', b'<cfRule type="x"/>',
]  # fmt: skip


#: Between two tags.
_VALUES = (b"", b"-1", b"0", b"99999999", b"1e400", b"nan", b"x" * 300, b"1.5", b"\xc2\xa0")


def target(data: bytes) -> None:
    """The alternatives in a workbook."""
    from sureshot.space import Space

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "candidates.xlsx"
        file.write_bytes(data)
        space = Space.read(file, duplicates="merge")
    space.label(len(space) - 1)


def mutated(data: bytes, rng: random.Random) -> bytes:
    """The workbook with one of its parts changed, lost, doubled or put in the place of another; its sums are right."""
    parts: dict[str, bytes] = {}
    with suppress(Exception), zipfile.ZipFile(io.BytesIO(data)) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    if not parts:
        return changed(data, rng, WORDS)
    for _ in range(rng.choice((1, 1, 2, 4))):
        name = rng.choice([*parts, *[one for one in parts if "sheet" in one or "haredStrings" in one] * 3])
        kind, other = rng.randrange(12), rng.choice(list(parts))
        if kind == 0:
            parts.pop(name)
        elif kind == 1:
            parts[name] = parts[other]
        elif kind == 2:
            parts[rng.choice((name.upper(), f"../{name}", f"/{name}", f"{name}.rels"))] = parts[name]
        elif kind < 7:
            parts[name] = _retagged(parts[name], rng)
        else:
            parts[name] = changed(parts[name], rng, WORDS, parts[other])
        if not parts:
            break
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as book:
        for name, content in parts.items():
            book.writestr(name, content)
    return out.getvalue()


def _retagged(part: bytes, rng: random.Random) -> bytes:
    """XML that stays well-formed: an element lost, doubled or moved, or one value in quotes or between tags changed."""
    pieces = part.split(b"<")
    if len(pieces) < 3:
        return part
    at, to = rng.randrange(1, len(pieces)), rng.randrange(1, len(pieces))
    kind = rng.randrange(5)
    if kind == 0 and b"/>" in pieces[at]:
        del pieces[at]
    elif kind == 1 and b"/>" in pieces[at]:
        pieces[to:to] = [pieces[at]] * rng.choice((1, 3, 50))
    elif kind == 2:
        tag, end, _ = pieces[at].partition(b">")
        pieces[at] = (
            tag + end + rng.choice((b"", b"-1", b"0", b"99999999", b"1e400", b"nan", b"x" * 300, b"1.5", b"\xc2\xa0"))
        )
    else:
        words = pieces[at].split(b'"')
        if len(words) > 2:
            value = rng.randrange(1, len(words), 2)
            words[value] = rng.choice(
                (b"", b"-1", b"0", b"1", b"A1", b"XFD1048576", b"A0", b"99999999999", b"x", b"s", b"b", b"e", b"d",
                 b"str", b"inlineStr", b"true", b"1.5", b"#REF!", b"rId99", b"\xc3\xa9")
            )  # fmt: skip
            pieces[at] = b'"'.join(words)
    return b"<".join(pieces)
