def target(data):
    if b"4" in data:
        raise KeyError(data)
