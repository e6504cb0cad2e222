"""Formats that break the promise, each in a way of its own: what the frame of ``fuzz/`` must notice."""
