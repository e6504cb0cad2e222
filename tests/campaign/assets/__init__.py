"""Stores that sureshot wrote, one for each way in which a specification was ever kept."""
