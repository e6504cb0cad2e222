"""What outcomes teach: one at a time, or a whole history fitted together."""
