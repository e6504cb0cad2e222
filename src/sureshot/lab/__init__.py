"""The lab: policies against policies, on simulated truth, with honest intervals."""
