"""The exact posterior by draws, to measure what a belief loses: slices, Polya-Gamma variables, evidence."""
