"""One run: a world, a belief, a policy, and how good the choice would be."""
