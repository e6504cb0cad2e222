"""What a person is told: recommendations, reasons, advice and cautions, as values and as words."""
