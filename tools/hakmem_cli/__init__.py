"""The command line of hakmem.

Two halves. The standard-library half starts on a bare machine: `front` (which command), `run` (preload and exec),
`program` and `elf` (can it be preloaded?), `build`, `needs` (system packages), `venv`. The other half runs inside the
checkout's virtual environment: `app` (commands and help) and `testing`.
"""
