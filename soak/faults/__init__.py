"""What is done to sureshot while it works: a function each, in the shape that :class:`soak.scene.Fault` says."""
