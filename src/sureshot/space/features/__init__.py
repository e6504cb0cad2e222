"""From named parameters to features: formulas, shapes, and the belief that each begins with."""
