"""Hostile input, a format at a time: each must end in an answer or in a clean error, soon, and in little memory.

A file of :mod:`fuzz.targets` is a format. ``fuzz/corpus`` holds inputs to begin with, in a folder for each format;
``fuzz/crashes`` every input that once broke the promise, and does not any more.
"""
