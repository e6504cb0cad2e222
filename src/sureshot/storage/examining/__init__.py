"""``doctor``: what is damaged in a store and what to do, found without changing anything."""
