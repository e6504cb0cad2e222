KEPT = []


def target(data):
    KEPT.append(bytearray(30_000_000))
