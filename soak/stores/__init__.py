"""Where campaigns are kept while faults are done: a disk of its own, a PostgreSQL server of its own."""
