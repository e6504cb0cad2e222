from sureshot.errors import InvalidInput


class Mumbled(InvalidInput):
    """An error whose words are not those that it was made with."""

    def __init__(self, words):
        super().__init__("the text must be short", fix="cut it")
        self.words = words

    def __str__(self):
        return self.words


def target(data):
    if data == b"1":
        raise Mumbled("x" * 100_000)
    if data == b"2":
        raise Mumbled("\udc80 is not text that can be written down")
    raise InvalidInput("the text must be short", got=1, fix="cut it")
