"""What is believed: a Gaussian over weights, mixtures of such, priors, and the chances they give."""
