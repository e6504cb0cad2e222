"""Who may do what, and what a browser is told not to do."""
