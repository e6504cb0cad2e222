"""The compiled twins of the look-aheads, each under the name of its definition, and what they share."""
