"""The matrix of misuse: what each allocator does about each kind of it. Its modules:

runs     the cases of the program, and how one ends
promises what the libraries promise of them
tables   the matrix, by kind and in counts
command  ./hakmem misuse
"""

from hakmem_lab.misuse.runs import Case, Ending, Outcome, Program

__all__ = ["Case", "Ending", "Outcome", "Program"]
