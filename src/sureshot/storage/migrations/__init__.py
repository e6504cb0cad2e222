"""One Alembic file for each version of the schema. One that was released is never changed: add the next."""
