"""Worlds made of real tables: the seven UCI pools, and tables from real benches."""
