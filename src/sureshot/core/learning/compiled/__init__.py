"""The compiled twins of the updates, each under the name of its definition."""
