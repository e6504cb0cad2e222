"""SciPy's special functions, loaded when one of them is first called.

SciPy takes as long to load as all else that a command needs which only reads or records.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scipy.special import *  # noqa: F403
else:

    def __getattr__(name: str) -> Any:
        from scipy import special

        found = globals()[name] = getattr(special, name)
        return found
