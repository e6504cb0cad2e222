"""The formats, one file each; its name is the format's. Nothing else is needed to add one. A file has

- ``target(data: bytes) -> None``: reads it as sureshot would, as far as somebody's input gets. It may raise a
  :class:`~sureshot.errors.SureshotError` whose words a person can use, and nothing else;
- ``mutated(data: bytes, rng: random.Random) -> bytes``, if bytes that are changed here and there would never get past
  the door (a zip, a checksum): a change at a deeper place;
- ``WORDS``, a list of bytes that mean something in the format, if there are any.

It imports nothing of ``sureshot`` but within its functions: what is imported there is watched for coverage.
"""
