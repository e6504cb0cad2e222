"""What the rows say: statistics with intervals, comparisons, tables and pictures."""
