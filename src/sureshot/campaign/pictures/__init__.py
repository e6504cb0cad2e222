"""What is drawn of a campaign: its numbers as records that :mod:`sureshot.viz` draws, and its report."""
