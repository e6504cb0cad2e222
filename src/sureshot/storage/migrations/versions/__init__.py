"""One file for each version of the schema. A file that was released is never changed; add the next one."""
