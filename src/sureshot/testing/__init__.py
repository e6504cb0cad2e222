"""Conformance suites that a link, policy or storage of your own can run."""

from sureshot.testing.links import LinkConformance

__all__ = ["LinkConformance"]
