"""One file for each kind of trouble: ``run(seed)`` goes on for ever, a :class:`~soak.running.Case` at a time.

The first line of its docstring is what the table calls it.
"""
