"""What a campaign is, once and for all: its alternatives, its words, its belief, its policy."""
