"""The paper, again: its figures made anew, and its claims beside what was measured (paper, section 6)."""
