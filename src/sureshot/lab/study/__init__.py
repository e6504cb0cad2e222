"""Many runs: a study, its file, its rows on disk, and who computes them."""
