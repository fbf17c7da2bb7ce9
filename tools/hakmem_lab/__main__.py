import sys

from hakmem_lab.cli import main

main(sys.argv[1:])
