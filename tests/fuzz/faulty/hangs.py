import time


def target(data):
    while data == b"2":
        time.sleep(1)  # no processor time is used
