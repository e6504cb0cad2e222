"""Whether the model fits: what speaks against it, what bends, models side by side, what was expected and what came."""
