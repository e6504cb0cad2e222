"""What each version of a specification means, and older ones brought up to date as they are read.

A specification is never changed: it is in the digests of the log. A campaign goes on with the features, the prior and
the aim that it was made with, whatever its version.

1. Features by a formula, the value in the same context. The campaign's own rule decided, which is no more: the default
   policy decides. The first of them keep no ranges of contexts.
2. The value over the contexts seen.
3. The policy by name and parameters; shapes, of version 1 (:mod:`sureshot.space.features.older_shapes`).
4. Shapes of version 2, which say every number that gives their features; the roots of the outcomes that a prior has
   learned from.

What an older sureshot would misread must have a higher version, so that it says "update sureshot".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sureshot.errors import InvalidInput
from sureshot.policies import POLICIES

__all__ = ["VERSION", "up_to_date"]

#: Of a specification as it is written now.
VERSION = 4

#: Policies that campaigns were made with and that are no more: the default policy decides in their place.
_GONE = ("kg-careful", "kg-several")


def up_to_date(stored: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same specification as the present version has it; ``gone_policy`` names a policy that is no more."""
    version = stored["version"]
    if version not in range(1, VERSION + 1):
        raise InvalidInput(f"a campaign must be of version 1 to {VERSION}, got {version!r}: update sureshot.")
    policy = stored.get("policy")
    name = policy.get("name") if isinstance(policy, Mapping) else None
    if name not in _GONE or name in POLICIES:  # somebody may have registered one of that name
        return stored
    return {**{key: value for key, value in stored.items() if key != "policy"}, "gone_policy": name}
