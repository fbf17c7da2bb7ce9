"""The parts of the hot-path report on small samples: groups, parsers, stacks, shares, proofs, the picture, the page."""

import json
import random
import re
from collections import Counter
from pathlib import Path

import pytest

from hakmem_lab.errors import LabError, UnsoundError
from hakmem_lab.hot import callgrind, command, groups, page, perf, proof, record, shares, stacks, symbols
from hakmem_lab.hot.profile import Entry, Frame, Process, Profile
from hakmem_lab.hot.symbols import Place

ROOT = Path(__file__).resolve().parents[2]


# ---- groups


@pytest.mark.parametrize(
    ("path", "group"),
    [
        ("/home/me/src/hakmem/src/api/malloc.c", groups.GATE),
        ("/x/src/hot/gate.h", groups.GATE),
        ("/x/src/hot/cache.h", groups.CACHE),
        ("/x/src/warm/refill.c", groups.DEPOT),
        ("/x/src/warm/free_remote.c", groups.REMOTE),
        ("/x/src/warm/depot.c", groups.DEPOT),
        ("/x/src/warm/take.c", groups.SLAB),
        ("/x/src/warm/remote.h", groups.REMOTE),
        ("/x/src/cold/arena.c", groups.COLD),
        ("/x/src/os/system.c", groups.OS),
        ("/usr/lib/gcc/include/stdatomic.h", None),
        ("/x/src/elsewhere/new.c", None),
    ],
)
def test_a_function_belongs_to_the_group_of_its_file(path, group):
    assert groups.of_source(path) == group


def test_every_source_file_of_the_library_has_a_group():
    files = [file for file in (ROOT / "src").rglob("*") if file.suffix in (".c", ".h")]
    assert len(files) > 40
    assert [file for file in files if groups.of_source(str(file)) is None] == []


@pytest.mark.parametrize(
    ("path", "group"),
    [
        ("/usr/bin/python3.11", groups.PROGRAM),
        ("/usr/lib/x86_64-linux-gnu/libc.so.6", groups.LIBC),
        ("/lib64/ld-linux-x86-64.so.2", groups.LIBC),
        ("/usr/lib/libcairo.so.2", groups.PROGRAM),
        ("[kernel.kallsyms]", groups.KERNEL),
        ("[vdso]", groups.KERNEL),
    ],
)
def test_what_lies_outside_is_told_apart_by_its_object(path, group):
    assert groups.of_object(path) == group


# ---- callgrind's file

CALLGRIND = """\
# callgrind format
version: 1
pid: 77
cmd:  ./program 1 2
positions: instr line
events: Ir
summary: 160

ob=(1) /usr/bin/program
fl=(1) /p/main.c
fn=(1) main
0x10 1 20
cob=(2) /opt/libhakmem.so
cfi=(2) /p/src/api/malloc.c
cfn=(2) malloc'main
calls=10 0x100 9
0x12 2 130
0x14 3 10

ob=(2)
fl=(2)
fn=(2)
0x100 9 60
fi=(3) /p/src/hot/cache.h
0x104 7 40
cfn=(3) refill'malloc'main
calls=2 0x200 30
0x108 9 30
fn=(3)
0x200 30 30
"""


def test_callgrind_own_costs_and_calls_are_read():
    file = callgrind.parse(CALLGRIND.splitlines())
    assert (file.pid, file.command, file.total) == (77, "./program 1 2", 160)
    assert file.own == {
        ("/usr/bin/program", "main", 0x10): 20,
        ("/usr/bin/program", "main", 0x14): 10,
        ("/opt/libhakmem.so", "malloc'main", 0x100): 60,
        ("/opt/libhakmem.so", "malloc'main", 0x104): 40,
        ("/opt/libhakmem.so", "refill'malloc'main", 0x200): 30,
    }
    assert file.calls[("/opt/libhakmem.so", 0x100)] == callgrind.Calls(10, 130)
    assert file.calls[("/opt/libhakmem.so", 0x200)] == callgrind.Calls(2, 30)


def test_a_file_that_does_not_add_up_is_refused():
    with pytest.raises(UnsoundError, match="process 77 does not add up"):
        callgrind.parse(CALLGRIND.replace("0x14 3 10\n", "").splitlines())


def test_the_context_of_a_function_is_taken_apart():
    assert callgrind.context("refill'malloc'main") == ["refill", "malloc", "main"]
    assert callgrind.context("main") == ["main"]


# ---- perf's output

PERF = """\
swapper     0/0     PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x1) @ 0xffffffff81000000]: x [kernel.kallsyms]_text
sh    12/12    PERF_RECORD_COMM exec: sh:12/12
sh    12/12    PERF_RECORD_MMAP2 12/12: [0x7f00(0x100) @ 0 fe:00 1 2]: r-xp /opt/libhakmem.so
sh    12/12    PERF_RECORD_FORK(13:13):(12:12)
my prog: x    13/14    cpu-clock: 
\t             204 refill (/opt/libhakmem.so)
\t             101 malloc (/opt/libhakmem.so)
\t              12 main (/usr/bin/program)

my prog: x    13/13    cpu-clock: 
\tffffffff81000c82 asm_exc_page_fault ([kernel.kallsyms])
\t              14 main (/usr/bin/program)

other    15/15    PERF_RECORD_FORK(15:15):(12:12)
other    15/15    PERF_RECORD_COMM exec: other:15/15
other    15/15    cpu-clock:u: 
\t               0 [unknown] ([unknown])

"""  # noqa: W291


def test_perf_samples_and_mappings_are_read():
    output = perf.parse(PERF.splitlines())
    assert output.samples == {13: 2, 15: 1}
    assert output.commands == {13: "my prog: x", 15: "other"}
    assert output.mapped[13] == {"/opt/libhakmem.so"}
    assert output.mapped[15] == set()
    own = "/opt/libhakmem.so"
    assert output.stacks[(0x204, "refill", own), (0x101, "malloc", own), (0x12, "main", "/usr/bin/program")] == 1
    assert output.stacks.total() == 3


NEWER_PERF = """\
sh    12/12    PERF_RECORD_MMAP2 12/12: [0x7f000(0x2000) @ 0 fe:00 1 2]: r-xp /opt/libother.so
sh    12/12    PERF_RECORD_MMAP2 12/12: [0x7f000(0x1000) @ 0x3000 fe:00 1 2]: r-xp /opt/libhakmem.so
sh    12/12    PERF_RECORD_FORK(13:13):(12:12)
sh    13/13    cpu-clock: 
\t           7f204 refill (/opt/libhakmem.so)
\t           80012 call (/opt/libother.so)
\tffffffff81000c82 asm_exc_page_fault ([kernel.kallsyms])

sh    12/12    PERF_RECORD_COMM exec: sh:12/12
sh    12/12    cpu-clock: 
\t           7f204 [unknown] ([unknown])

"""  # noqa: W291


def test_where_perf_tells_addresses_of_the_process_they_become_those_in_its_files():
    stacks = perf.parse(NEWER_PERF.splitlines()).stacks
    kernel = (0xFFFFFFFF81000C82, "asm_exc_page_fault", "[kernel.kallsyms]")
    here = ((0x3204, "refill", "/opt/libhakmem.so"), (0x1012, "call", "/opt/libother.so"), kernel)
    assert stacks == {here: 1, ((0x7F204, "[unknown]", "[unknown]"),): 1}


# ---- symbols


def test_nm_lines_are_read():
    listing = "0000000000000200 0000000000000010 t refill.cold\n0000000000000100 0000000000000020 T malloc@@V1\n0 D d\n"
    assert symbols.parse_symbols(listing) == [(0x100, 0x120, "malloc"), (0x200, 0x210, "refill.cold")]


def test_inline_chains_are_read_and_unknown_places_dropped():
    malloc = "malloc\n/p/src/api/malloc.c:12 (discriminator 2)\n"
    listing = f"0x104\ncache_pop\n/p/src/hot/cache.h:40\n{malloc}0x108\n??\n??:0\n"
    places = symbols.parse_places(listing)
    assert places[0x104] == [Place("cache_pop", "/p/src/hot/cache.h"), Place("malloc", "/p/src/api/malloc.c")]
    assert places[0x108] == []


def test_the_compilers_endings_are_taken_off():
    assert symbols.plain_name("take.isra.0.cold") == "take"
    assert symbols.plain_name("malloc") == "malloc"


class SomeSymbols:
    """Of a library with malloc, which holds cache_pop inlined, refill, and a function without source."""

    library = Path("/opt/libhakmem.so")
    _functions = {0x100: "malloc", 0x104: "malloc", 0x200: "refill", 0x204: "refill", 0x300: "__popcountdi2"}

    def look_up(self, addresses):
        pass

    def function(self, address):
        return self._functions.get(address) or self._functions.get(address & ~0xFF)

    def start(self, function):
        return {"malloc": 0x100, "refill": 0x200}.get(function)

    def entry(self, address):
        return {0x100: "malloc"}.get(address)

    def places(self, address):
        malloc = Place("malloc", "/p/src/api/malloc.c")
        if address == 0x104:
            return [Place("cache_pop", "/p/src/hot/cache.h"), malloc]
        return {1: [malloc], 2: [Place("refill", "/p/src/warm/refill.c")]}.get(address >> 8, [])


MAIN = Frame("main", groups.PROGRAM, "program")
MALLOC = Frame("malloc", groups.GATE, "/p/src/api/malloc.c")
POP = Frame("cache_pop", groups.CACHE, "/p/src/hot/cache.h", inlined=True)
REFILL = Frame("refill", groups.DEPOT, "/p/src/warm/refill.c")


@pytest.fixture
def counted():
    profile = Profile("instructions")
    stacks.add_callgrind(profile, callgrind.parse(CALLGRIND.splitlines()), SomeSymbols())
    return profile


def test_callgrind_becomes_stacks_that_begin_with_the_caller(counted):
    assert counted.stacks == {(MAIN,): 30, (MAIN, MALLOC): 60, (MAIN, MALLOC, POP): 40, (MAIN, MALLOC, REFILL): 30}
    assert counted.processes == [Process(77, "./program 1 2", 160, True)]


def test_entries_have_their_calls_and_both_costs(counted):
    assert counted.entries == [Entry("malloc", 10, 100, 130)]
    stacks.add_callgrind(counted, callgrind.parse(CALLGRIND.splitlines()), SomeSymbols())
    assert counted.entries == [Entry("malloc", 20, 200, 260)]


def test_perf_becomes_stacks_of_the_same_shape():
    profile = Profile("samples")
    stacks.add_perf(profile, perf.parse(PERF.splitlines()), SomeSymbols())
    kernel = Frame("asm_exc_page_fault", groups.KERNEL, "[kernel.kallsyms]")
    assert profile.stacks[(MAIN, MALLOC, REFILL)] == 1
    assert profile.stacks[(MAIN, kernel)] == 1
    assert [(process.pid, process.served) for process in profile.processes] == [(13, True), (15, False)]


def test_code_without_source_counts_for_its_caller():
    frames = stacks.Frames(SomeSymbols())
    assert frames.running(0x300, [REFILL])[0].group == groups.DEPOT
    assert frames.running(0x300, [MAIN])[0].group == groups.OS
    assert frames.running(0x900, [MALLOC])[0].group == groups.LIBC  # between functions: a stub of the linker


# ---- shares


def test_functions_are_told_apart_by_group_within_one(counted):
    found = [(share.name, share.group, share.weight) for share in shares.by_function(counted)]
    assert sorted(found) == [
        ("main", groups.PROGRAM, 30),
        ("malloc", groups.GATE, 60),
        ("malloc (inlined cache)", groups.CACHE, 40),
        ("refill", groups.DEPOT, 30),
    ]


def test_all_groups_of_the_house_are_shown_also_empty_ones(counted):
    found = {share.name: share.weight for share in shares.by_group(counted)}
    assert list(found) == ["gate", "cache", "depot", "slab", "remote", "cold", "os", "program"]
    assert (found["gate"], found["remote"]) == (60, 0)


def random_profile(seed):
    draw = random.Random(seed)
    weights = {group: draw.choice([0, 1, draw.randrange(10), draw.randrange(10**9)]) for group in groups.ALL}
    found = Counter({(Frame(f"in {group}", group, ""),): weight for group, weight in weights.items()})
    return Profile("samples", 1, found + Counter({(MAIN,): 1}))


@pytest.mark.parametrize("seed", range(40))
def test_printed_groups_sum_to_a_hundred_exactly(seed):
    profile = random_profile(seed)
    rows = command.groups_table(profile).rows
    told = [float(row[1].removesuffix(" %")) for row in rows]
    assert rows[-1][:2] == ("all", "100.0 %")
    assert round(sum(told[:-1]), 1) == 100.0
    assert sum(share.weight for share in shares.by_group(profile)) == profile.total
    assert sum(share.weight for share in shares.by_function(profile)) == profile.total
    for row, percent in zip(rows[:-1], told[:-1], strict=True):
        assert abs(percent - 100 * int(row[2].replace(",", "")) / profile.total) <= 0.1 + 1e-9


def test_what_is_past_the_first_is_summed():
    several = [shares.Share(str(i), groups.COLD, i) for i in range(5)]
    assert [share.name for share in shares.top(several, 3)] == ["0", "1", "2", "2 others"]
    assert shares.top(several, 3)[-1].weight == 7
    assert shares.top(several, 5) == several


# ---- proofs


def sampled(samples, runs=1, frame=MALLOC):
    return Profile("samples", runs, Counter({(frame,): samples}), [Process(1, "prog", samples, True)])


def test_fewer_than_a_thousand_samples_rank_nothing():
    proof.of_samples(sampled(1000))
    with pytest.raises(UnsoundError, match=r"999 samples are too few .* 1,000 are needed.*--runs 2\b") as refused:
        proof.of_samples(sampled(999))
    assert refused.value.status == 3
    with pytest.raises(UnsoundError, match="--runs 50"):
        proof.of_samples(sampled(100, runs=4))
    with pytest.raises(UnsoundError, match="0 samples"):
        proof.of_samples(sampled(0))


def test_instructions_are_counted_and_never_too_few(counted):
    proof.of_samples(counted)


def processes(*some):
    return Profile("instructions", 1, Counter({(MALLOC,): 1}), [Process(i, *one) for i, one in enumerate(some)])


def test_a_program_that_hakmem_did_not_serve_is_refused():
    with pytest.raises(UnsoundError, match="hakmem did not serve prog: no call"):
        proof.of_service(processes(("prog", 9, False)), print)
    with pytest.raises(UnsoundError, match="hakmem did not serve prog, where 90% of the instructions went"):
        proof.of_service(processes(("env", 10, True), ("prog", 90, False)), print)
    with pytest.raises(UnsoundError, match="not one of 2000 samples fell into hakmem"):
        proof.of_service(sampled(2000, frame=MAIN), print)
    proof.of_service(sampled(999, frame=MAIN), print)  # too few to tell, as of_samples says


def test_a_lesser_process_that_hakmem_did_not_serve_is_named():
    said = []
    proof.of_service(processes(("prog", 900, True), ("helper", 100, False), ("tiny", 1, False)), said.append)
    assert said == ["not on hakmem: helper, 10% of the instructions"]


def test_a_refusal_of_the_kernel_names_the_setting(monkeypatch, tmp_path):
    paranoia = tmp_path / "paranoid"
    paranoia.write_text("3\n")
    monkeypatch.setattr(record, "_PARANOIA", paranoia)
    told = record._why_not("Error: ... Consider adjusting /proc/sys/kernel/perf_event_paranoid setting\n")
    assert "kernel.perf_event_paranoid is 3" in told
    assert "sysctl kernel.perf_event_paranoid=2" in told
    assert "--callgrind" in told
    paranoia.write_text("1\n")
    assert "(no such event)" in record._why_not("no such event\n")


@pytest.mark.parametrize(
    ("measure", "sentence"),
    [
        (record.by_perf, "perf is not installed: apt-get install linux-perf, or use --callgrind"),
        (record.by_callgrind, "valgrind is not installed: apt-get install valgrind, or use --perf"),
    ],
)
def test_a_missing_tool_is_named_with_the_other_way(monkeypatch, measure, sentence):
    monkeypatch.setattr(record.shutil, "which", lambda name: None)
    with pytest.raises(LabError, match=re.escape(sentence)):
        measure(record.Job(["true"], Path("/nowhere"), {}))


# ---- the picture and the page

def test_the_page_needs_nothing_but_itself(counted):
    tables = [command.groups_table(counted), command.functions_table(counted), command.entries_table(counted)]
    text = page.html("prog <1> & 2", "a summary", "it failed", counted, tables)
    text = re.sub(r"<script>.*?</script>", "", text, flags=re.S)  # Vega, which is inlined
    assert not re.search(r"<(link|img|iframe)\b|@import|url\(|\b(src|href)=", text)
    assert "prog &lt;1&gt; &amp; 2" in text
    assert '<p class="warning">it failed</p>' in text
    for word in ("cache_pop", "Instructions per call", "100.0 %"):
        assert word in text


def test_speedscope_has_every_stack(counted):
    told = json.loads(page.speedscope("prog 1", counted))
    assert told["name"] == "prog 1"
    assert sum(told["profiles"][0]["weights"]) == counted.total
    assert page.beside(Path("/x/hot.html")) == Path("/x/hot.speedscope.json")


def test_a_report_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(LabError, match="could not be written to .*/file/hot.html"):
        page.write("", tmp_path / "file" / "hot.html")
