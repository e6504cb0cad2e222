"""For every test, those in docstrings and pages too: nobody outside this machine is called, and Ctrl-C is heard."""

import signal

pytest_plugins = ["tests.offline.plugin"]

# What runs in the background of a shell is started with Ctrl-C ignored, and so would be all that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
