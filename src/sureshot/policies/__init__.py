"""Policies: which alternative to try next."""
