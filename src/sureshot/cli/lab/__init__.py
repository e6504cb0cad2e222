"""``sureshot lab``: one command a file."""
