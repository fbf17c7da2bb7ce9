"""Memory over time of a command, as one page: ./hakmem run --plot."""
