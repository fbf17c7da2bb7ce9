"""The disassembly of a library: instructions, their loads and stores, and the same function in two libraries compared.

x86-64 only, as objdump prints it.
"""

import difflib
import re

from hakmem_program import run

class Instruction:
    """One line of the disassembly."""

    def __init__(self, address, text):
        self.address = address
        self.text = text
        parts = text.split(None, 1)
        self.prefixes = set()
        while parts[0] in ("lock", "rep", "repz", "repnz", "notrack", "bnd", "data16", "cs"):
            self.prefixes.add(parts[0])
            parts = parts[1].split(None, 1)
        self.mnemonic = parts[0]
        operands = parts[1].split("#")[0].split("<")[0].strip() if len(parts) > 1 else ""
        self.operands = re.findall(r"(?:[^,(]|\([^)]*\))+", operands)
        self.target = None
        if self.is_branch and re.fullmatch(r"[0-9a-f]+", operands):
            self.target = int(operands, 16)

    @property
    def is_branch(self):
        return self.mnemonic.startswith("j") or self.mnemonic.startswith("call")

    @property
    def is_conditional(self):
        return self.mnemonic.startswith("j") and not self.mnemonic.startswith("jmp")

    @property
    def memory(self):
        """Which operands are in memory; the last one is the destination."""
        if self.mnemonic.startswith(("lea", "nop")) or (self.is_branch and self.target is not None):
            return []
        in_memory = re.compile(r".*\(|\*?%[fg]s:")
        return [index for index, operand in enumerate(self.operands) if in_memory.match(operand)]

    @property
    def loads(self):
        if self.mnemonic.startswith("pop"):
            return 1
        last = len(self.operands) - 1
        writes_only = self.mnemonic.startswith(("mov", "set")) and last in self.memory
        return 1 if self.memory and not writes_only else 0

    @property
    def stores(self):
        if self.mnemonic.startswith("push"):
            return 1
        only_read = ("cmp", "test", "bt", "push", "jmp", "call", "mul", "div", "imul", "idiv")
        reads_only = self.mnemonic.startswith(only_read)
        return 1 if len(self.operands) - 1 in self.memory and not reads_only else 0

    @property
    def is_atomic(self):
        """A locked read-modify-write; xchg with memory is one without saying so."""
        exchanges = self.mnemonic.startswith("xchg") and bool(self.memory)
        return "lock" in self.prefixes or exchanges or self.mnemonic == "mfence"


class Code:
    """The disassembly of a library."""

    def __init__(self, library, tool):
        listing = run([tool("objdump"), "-d", "-w", "--no-show-raw-insn", library])
        assert listing.code == 0, listing.err
        self._at = {}
        previous = None
        for line in listing.out.splitlines():
            found = re.match(r"\s+([0-9a-f]+):\t(.+)", line)
            if found:
                address = int(found[1], 16)
                self._at[address] = Instruction(address, found[2])
                if previous is not None:
                    previous.next = address
                previous = self._at[address]
        symbols = run([tool("nm"), "-D", "--defined-only", library])
        assert symbols.code == 0, symbols.err
        self._entry = {}
        for line in symbols.out.splitlines():
            address, _, name = line.split()
            self._entry[name.split("@")[0]] = int(address, 16)
        sizes = run([tool("nm"), "-S", "--defined-only", library])
        assert sizes.code == 0, sizes.err
        self._range = {}
        self._size = {}
        for line in sizes.out.splitlines():
            parts = line.split()
            if len(parts) == 4:
                self._size[parts[3].split("@")[0]] = int(parts[1], 16)
            if len(parts) == 4 and parts[2] in "tTwW":
                start = int(parts[0], 16)
                self._range[parts[3].split("@")[0]] = range(start, start + int(parts[1], 16))

    def at(self, address):
        """The instruction that begins there."""
        return self._at[address]

    def addresses(self, function):
        """Where the code of a function lies, without what the compiler put aside as cold."""
        assert function in self._range, f"the library has no function {function}"
        return self._range[function]

    def name(self, place):
        """What objdump's place, as table+0x10, is part of. Where nothing has a name it tells the nearest that has one,
        and how far that is depends on everything between."""
        symbol, _, offset = place.partition("+")
        inside = not offset or int(offset, 16) < self._size.get(symbol, 0)
        return place if inside else "nameless"

    def body(self, function):
        """The instructions of a function in their order, without those that only fill space."""
        inside = [self._at[address] for address in self.addresses(function) if address in self._at]
        return [instruction for instruction in inside if "nop" not in instruction.text.split("<")[0]]

    def common_path(self, entry):
        """The instructions from an entry point to `ret`, no conditional branch taken."""
        path = []
        address = self._entry[entry]
        while True:
            instruction = self._at[address]
            path.append(instruction)
            assert len(path) < 200, f"{entry}: no end in sight:\n{listing(path)}"
            if instruction.mnemonic.startswith("ret"):
                return path
            if instruction.mnemonic.startswith("call"):
                raise AssertionError(f"{entry}: its common path calls a function:\n{listing(path)}")
            if instruction.mnemonic.startswith("jmp"):
                known = instruction.target in self._at
                assert known, f"{entry}: its common path leaves for somewhere else:\n{listing(path)}"
                address = instruction.target
            else:
                address = instruction.next


def listing(path):
    return "\n".join(f"  {instruction.address:8x}  {instruction.text}" for instruction in path)


def mix(path):
    """What is pinned of a path."""
    return {
        "instructions": len(path),
        "loads": sum(instruction.loads for instruction in path),
        "stores": sum(instruction.stores for instruction in path),
        "branches": sum(instruction.is_branch for instruction in path),
    }


# ---- the same function in two libraries ----


def without_addresses(code, body):
    """A function's instructions as text that does not depend on where things lie: a jump inside the function leads to
    the number of an instruction, one outside to a name, and data are named. Structure offsets and constants stay."""
    number = {instruction.address: index for index, instruction in enumerate(body)}
    return [_without_addresses(code, instruction, number) for instruction in body]


def _without_addresses(code, instruction, number):
    text = " ".join(instruction.text.split())
    if instruction.target is not None:
        inside = number.get(instruction.target)
        name = re.search(r"<(.+)>", text)
        goal = f"#{inside}" if inside is not None else f"<{code.name(name[1])}>" if name else "elsewhere"
        return f"{instruction.mnemonic} {goal}"
    # `mov 0xd762(%rip),%rcx # ffb0 <name>` loads from the name.
    text, _, comment = text.partition(" #")
    name = re.search(r"<(.+)>", comment)
    if name:
        text = re.sub(r"-?(0x[0-9a-f]+)?\(%rip\)", f"<{code.name(name[1])}>", text)
    return text


def differences(first, second, functions, part=Code.body):
    """Compares functions of two libraries, each a Code, instruction for instruction; a line for each that differs, with
    the function's name before them. No lines: they are the same. `part` is Code.body, or Code.common_path for hits
    alone."""
    lines = []
    for function in functions:
        one, other = (without_addresses(code, part(code, function)) for code in (first, second))
        changed = [line for line in difflib.ndiff(one, other) if line[0] in "+-"]
        if changed:
            lines += [f"{function}:", *changed]
    return lines
