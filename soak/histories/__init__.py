"""Random histories, hostile ones among them, and what must hold of each: for :mod:`soak.parts.numbers`."""
