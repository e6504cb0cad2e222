"""Conformance suites that a link, policy or storage of your own can run."""
