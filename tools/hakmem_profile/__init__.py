"""./hakmem profile: who allocates, and who holds, the memory of a program."""
