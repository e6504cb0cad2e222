"""Functions and integrals that plain formulas would lose: stable forms, quadrature, the bivariate normal."""
