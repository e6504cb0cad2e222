"""Faults by the thousand: whatever is done to sureshot while it works, nothing acknowledged is lost, doubled or wrong.

A file of :mod:`soak.parts` is a kind of trouble. ``make soak`` runs all of them, for an hour at the most; the tests run
a few of each.
"""
