def target(data):
    if data.startswith(b"1"):
        list(range(200_000_000))
