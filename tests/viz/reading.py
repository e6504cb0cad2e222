"""What is on a page, read by a parser."""

from __future__ import annotations

from html.parser import HTMLParser


class Read(HTMLParser):
    """Tags with their attributes, and the text outside of scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.scripts: list[str] = []
        self._inside: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self._inside.append(tag)

    def handle_endtag(self, tag):
        if self._inside and tag == self._inside[-1]:
            self._inside.pop()

    def handle_data(self, data):
        if not self._inside:
            self.texts.append(data)
        elif self._inside[-1] == "script":
            self.scripts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.tags)

    def fetched(self) -> list[str]:
        """Addresses that a browser would load, or lead to."""
        found = [value for _, given in self.tags for key, value in given.items() if key in ("src", "href", "data")]
        return [one for one in found if one and not one.startswith("#")]
