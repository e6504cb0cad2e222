"""Text that is not code: constraints and formulas, checked word by word."""
