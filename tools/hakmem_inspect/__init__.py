"""Reads the heap of a program on hakmem from outside: of a running process, a core file, a snapshot, or through gdb.

What reads and explains needs nothing beside the standard library, so that gdb's Python runs it (`in_gdb`).
"""
