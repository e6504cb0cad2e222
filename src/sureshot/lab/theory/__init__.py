"""What the paper proves, beside what was measured: one file for each group of statements."""
