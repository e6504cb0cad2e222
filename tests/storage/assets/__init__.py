"""A store of every schema version, on SQLite (``v1.db``) and PostgreSQL (``v1.sql``), and how they are made.

Run ``python -m tests.storage.assets`` once for each new version of the schema; files that are there are never
made again: they are what users have.
"""
