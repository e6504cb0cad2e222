"""The history of the schema: one numbered Alembic revision a version, applied by :mod:`sureshot.storage.migrate`."""
