from hakmem_lab.cli import main

main()
