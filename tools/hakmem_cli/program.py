"""Finds the program that a command line names, and says why the library cannot be preloaded into it, if it cannot."""

import os
import stat

from .elf import MAGIC, Elf
from .message import Refusal

_DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin"
_SCRIPTS_DEEP = 4  # the kernel follows as many interpreters


def find(name, search_path):
    """The file that execvp would run for `name`. Refuses with 127 what is not there and with 126 what may not run."""
    if not name:
        raise Refusal("the command is empty", status=127)
    if "/" in name:
        candidates = [name]
    else:
        candidates = [os.path.join(folder or ".", name) for folder in (search_path or _DEFAULT_PATH).split(":")]
    denied = None
    for candidate in candidates:
        if os.path.isfile(candidate) and os.access(candidate, os.X_OK):
            return candidate
        if os.path.exists(candidate):
            denied = denied or candidate
    if denied is None:
        raise Refusal(f"{name}: command not found", "Check the spelling, or give its path", 127)
    if os.path.isdir(denied):
        raise Refusal(f"{denied} is a folder", "Name a program", 126)
    raise Refusal(f"{denied} may not be executed", f"If it is a program: chmod +x {denied}", 126)


def check(path, library, search_path):
    """Refuses a program that would run without the library, or not at all, were the library preloaded."""
    for _ in range(_SCRIPTS_DEEP):
        with _opened(path) as file:
            start = file.read(256)
        if not start.startswith(b"#!"):
            return _check_elf(path, start, Elf(library))
        path = _interpreter(path, start, search_path)
    raise Refusal(f"{path}: its #! lines lead from script to script without end", "Name the interpreter yourself", 126)


def _opened(path):
    try:
        return open(path, "rb")
    except PermissionError as error:  # executable but unreadable: nothing can be told of it
        remedy = "Only a readable program can be checked for what hakmem can serve; make it readable"
        raise Refusal(f"{path} may not be read", remedy, 126) from error


def _interpreter(script, start, search_path):
    """The program that the #! line of a script names; where that is `env`, the program that env looks up."""
    words = os.fsdecode(start[2:].split(b"\n")[0]).split()
    if not words:
        raise Refusal(f"{script} has an empty #! line", "Name the interpreter yourself", 126)
    if os.path.basename(words[0]) == "env":
        looked_up = [word for word in words[1:] if word != "-S" and "=" not in word]
        if looked_up and not looked_up[0].startswith("-"):
            return find(looked_up[0], search_path)
    if not os.path.exists(words[0]):
        raise Refusal(f"{script}: its interpreter {words[0]} does not exist", "Install it, or mend the #! line", 127)
    return words[0]


def _check_elf(path, start, library):
    if not start.startswith(MAGIC):
        remedy = f"If it is a shell script: ./hakmem run -- sh {path}"
        raise Refusal(f"{path} is neither an ELF program nor a script with a #! line", remedy, 126)
    try:
        program = Elf(path)
    except ValueError as error:
        raise Refusal(f"{path} is a damaged program: {error}", status=126) from error
    if program.target != library.target:
        what = f"{path} is a program for {program.target_name}, and this hakmem is built for {library.target_name}"
        raise Refusal(what, "Build hakmem where, or with the compiler with which, that program was built")
    if program.interpreter is None:
        remedy = "Link hakmem into it instead: put libhakmem.a on its link line"
        raise Refusal(f"{path} is statically linked, and nothing can be preloaded into it", remedy)
    if program.libc and library.libc and program.libc != library.libc:
        what = f"{path} runs on {program.libc}, and this hakmem is built for {library.libc}"
        raise Refusal(what, f"Build hakmem with a compiler for {program.libc}")
    privilege = _privilege(path)
    if privilege:
        what = f"{path} is {privilege}, and the system preloads nothing into such a program"
        raise Refusal(what, "Run it as that user, or run an unprivileged copy of it")


def _privilege(path):
    """How running the program would raise privileges, which makes the loader ignore LD_PRELOAD; '' where it would not."""
    about = os.stat(path)
    if os.statvfs(path).f_flag & os.ST_NOSUID:
        return ""
    if about.st_mode & stat.S_ISUID and about.st_uid != os.getuid():
        return f"setuid (to user {about.st_uid})"
    group_bits = stat.S_ISGID | stat.S_IXGRP
    if about.st_mode & group_bits == group_bits and about.st_gid != os.getgid():
        return f"setgid (to group {about.st_gid})"
    if os.getuid() != 0 and "security.capability" in os.listxattr(path):
        return "given file capabilities"
    return ""
