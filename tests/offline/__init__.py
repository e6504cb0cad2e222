"""Nobody outside this machine is called while tests run: not by the tests, and not by processes that they start."""
