"""The pictures of the pages in the docs, from those that the browser tests take: `make pictures`.

Run the tests first (`SURESHOT_SHOTS` says where their pictures are). Each is cut to what one sees at once and kept
small.
"""

from __future__ import annotations

import os
from pathlib import Path

from PIL import Image

HERE = Path(__file__).parent
#: The picture of the docs, the one of the tests, and the height that is shown.
WANTED = {
    "page-bench.png": ("bench-820.png", 1500),
    "page-new.png": ("new-820.png", 1400),
    "page-results.png": ("results-820.png", 1500),
    "page-history.png": ("history-820.png", 1100),
    "page-desk.png": ("desk-820.png", 1300),
}


def main() -> None:
    """Cut each picture and keep it beside this file."""
    shots = Path(os.environ.get("SURESHOT_SHOTS") or HERE.parents[1] / "build" / "shots")
    for name, (source, height) in WANTED.items():
        picture = Image.open(shots / source).convert("RGB")
        picture = picture.crop((0, 0, picture.width, min(height, picture.height)))
        picture.quantize(colors=64, dither=Image.Dither.NONE).save(HERE / name, optimize=True)


if __name__ == "__main__":
    main()
