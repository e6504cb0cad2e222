"""What is written to the terminal: the two streams, what is made visible, tables and lines."""
