import os


def target(data):
    if data.startswith(b"2"):
        os._exit(3)
