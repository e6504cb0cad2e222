"""What happened: events, the trials they make, and the belief after them."""
