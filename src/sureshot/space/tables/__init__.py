"""Tables as a person has them: columns, levels, files."""
