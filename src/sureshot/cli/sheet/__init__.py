"""``sureshot sheet``: the one-file way."""
