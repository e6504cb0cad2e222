def target(data):
    while data.startswith(b"1"):
        pass
