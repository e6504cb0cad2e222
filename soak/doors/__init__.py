"""The three doors by which people come in: the library, the command, the web."""
