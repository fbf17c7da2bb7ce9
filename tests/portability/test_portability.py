"""The allocator on other C libraries, machines and compilers: musl, aarch64 under qemu-user, Clang.

A few boxes of each are tested in every run, all of them under --all.
"""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from hakmem_inspect.heap import Heap
from hakmem_inspect.process import Process

ROOT = Path(__file__).resolve().parents[2]
BOXES = sorted(path.stem.removesuffix("_test") for path in (ROOT / "tests/unit").glob("*_test.c"))
EMULATOR = ("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu")
TOOLS = {
    "musl": ("musl-gcc",),
    "aarch64": ("aarch64-linux-gnu-gcc", "qemu-aarch64"),
    "clang": ("clang", "clang++"),
}
QUICK = {
    "musl": ("cache", "fatal", "heap", "light", "remote", "warm"),
    "aarch64": ("cache", "cpu_section", "size_class", "slab"),
}

# What qemu-user 7.2 does not give a program: the limit of the address space is not kept (a test that uses memory up
# would use up the machine's), a child of fork() of a process with threads stops inside the emulator when it starts one,
# fresh memory is not populated, /proc/self/statm and the mask of blocked signals are the emulator's, there is no
# mincore() of what has no access and no process_madvise(), who traces a child waits for ever, and mremap() moves even
# what shrinks, which fails where a block spans areas of the system.
NOT_UNDER_QEMU = {
    "no limit": """
        ArenaTest.FallsBackToASingleSuperslab ArenaTest.TheWindowIsCutToTheLimitOfTheAddressSpace
        ContractTest.ShrinkingNeverFails EmptyTest.WhereTheSystemRefusesTheRangeASmallBlockServes
        GuardedTest.WhereAddressesAreShortFreedBlocksGiveTheirs DepotTest.WithoutMemoryThereIsNoSpareButNoHarm
        HeapTest.WithoutMemoryItGivesWhatItHasAndStaysWhole HugeTableTest.WhatIsReservedIsEnteredWithoutMemory
        HugeTest.WithoutMemoryThereIsNullAndNothingChanges
        MachineTest.KnowsTheLimitOfTheAddressSpace MetaTest.WithoutMemoryThereIsNullAndNoHarm
        SharedPoolTest.AFreeUnitBecomesMetadataWhenTheSystemHasNone
        SharedPoolTest.WithoutMemoryThereIsNullAndNothingLost
        SuperslabTest.WithoutMemoryNoneIsCutAndNoneIsLost VisitTest.WithoutMemoryNothingIsVisited WarmPoolTest.WithoutMemoryThereIsNoUnitButNoHarm
        WarmTest.AFailureIsEnomemWithNothingLost""",
    "no thread after a fork": """
        BackgroundTest.AChildHasNoneUntilItAsksForOne
        LightForkTest.AChildOfForkHasNothingTwice
        ProcessTest.TheHeapOfAThreadThatIsGoneIsAnOrphanWithNothingLost ProcessTest.ThreadsOfTheChildAdoptIt
        ProcessTest.AHeapThatWasChangingIsBuiltAnewWithNothingLost ProcessTest.TheChildOfABusyParentWorks
        ProcessTest.AForkWithinACallMendsTheChildWhenTheCallEnds
        ProcessTest.AForkUnderALockMendsTheChildWhenTheLockIsDropped
        RegistryTest.AForkAtAnyMomentLosesNoHeap""",
    "no populating": """
        OsTest.PopulatingAndTouchingMakeResident PrefaultTest.PopulatesOrTouchesTheWholeRange
        PrefaultTest.CoversEachSuperslabAsItIsCut""",
    "its own statm": "OsTest.MapsAlignedAndNoMoreThanAsked FileTest.TheProcessIsResident",
    "its own signals": "BackgroundTest.EverySignalIsBlockedInItAndNoneElsewhere",
    "no mincore of what has no access": "GuardedTest.WhatIsFreedIsNotResident GuardedTest.LargeBlocksEndOrBeginAtAGuardToo",
    "no process_madvise": "TrimTest.AHeapThatDeclinesGivesFreePagesBackByItself",
    "no tracing": "FaultTest.TheProgramDiesOfTheFaultItself",
    "remapping fails": """
        HugeTest.RandomCallsAgreeWithAModel HugeTest.ManyThreads HugeTest.AForkAtAnyMomentLeavesUsableBlocks""",
}
NOT_UNDER_QEMU_BOXES = ("reclaim",)  # nothing but what happens at the limit
GTEST_NOT_UNDER_QEMU = (  # no limit, its own statm
    "OperatorNewTest.AHandlerThatMakesRoomIsRewarded:RefusalUnderALimitTest.OfMoreThanTheLimitGivesNothingBack:"
    "ReallocGrowthTest.KeepsNothingBesideTheBlockThatGrows:Family/ReallocTest.ZeroFreesAndReturnsNull/*:"
    "Family/MallocTest.FreedMemoryIsUsedAgain/*:Family/FreeTest.HugeBlocksGoBackToTheSystem/*"
)
# By box. The emulator lets a load-acquire (LDAR) pass the store-release (STLR) before it, which no such machine does;
# what needs that order has it on one CPU.
ON_ONE_CPU = {"remote": "RemoteTest.TheLastBitIsNeverLost"}
CONTRACT = sorted("contract_" + path.stem.removesuffix("_test") for path in (ROOT / "tests/contract").glob("*_test.cc"))
WITHOUT = {"musl": "", "aarch64": ":".join(" ".join(NOT_UNDER_QEMU.values()).split())}


def call(line, timeout=900, env=()):
    """Runs a command to its end; its output as one text."""
    done = subprocess.run(
        [str(word) for word in line], cwd=ROOT, env={**os.environ, **dict(env)}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=timeout,
    )  # fmt: skip
    return done.returncode, done.stdout


def emulated(preset):
    """What tells a test program how to start itself again."""
    return {"HAKMEM_TEST_EMULATOR": " ".join(EMULATOR)} if preset == "aarch64" else {}


@pytest.fixture(scope="module")
def build(tool):
    """Builds targets of a preset, configured on first use; returns its build folder."""
    configured = set()

    def build_it(preset, *targets):
        for name in TOOLS[preset]:
            tool(name)
        if preset not in configured:
            cxx = ["-DHAKMEM_TESTS=unit"] if preset == "aarch64" and not any_cxx() else []
            status, output = call(["cmake", "--preset", preset, *cxx])
            assert status == 0, output
            configured.add(preset)
        status, output = call(["cmake", "--build", f"build/{preset}", "--target", *targets])
        assert status == 0, output[-4000:]
        return ROOT / "build" / preset

    return build_it


def any_cxx():
    """Whether GoogleTest can be built for aarch64."""
    sources = Path("/usr/src/googletest/googletest/CMakeLists.txt")
    return sources.exists() and any((Path(folder) / "aarch64-linux-gnu-g++").exists() for folder in os.get_exec_path())


def cases():
    for preset, quick in QUICK.items():
        for box in BOXES:
            if preset != "aarch64" or box not in NOT_UNDER_QEMU_BOXES:
                yield pytest.param(preset, box, marks=() if box in quick else pytest.mark.slow)


@pytest.mark.parametrize(("preset", "box"), list(cases()))
def test_unit_tests_of(build, preset, box):
    program = build(preset, f"unit_{box}_test") / f"tests/unit/unit_{box}_test"
    start = EMULATOR if preset == "aarch64" else ()
    alone = ON_ONE_CPU.get(box) if preset == "aarch64" else None
    unwanted = f"{WITHOUT[preset]}:{alone}" if alone else WITHOUT[preset]
    status, output = call([*start, program, f"--gtest_filter=-{unwanted}"], env=emulated(preset))
    assert status == 0, output
    if alone:
        cpu = min(os.sched_getaffinity(0))
        line = ["taskset", "-c", cpu, *start, program, f"--gtest_filter={alone}"]
        status, output = call(line, env=emulated(preset))
        assert status == 0, output


def test_the_runner_of_the_unit_tests_sees_a_test_fail(build, tmp_path):
    folder = build("musl", "hakmem_static")
    source = tmp_path / "wrong_test.c"
    source.write_text(
        '#include "unit/unit.h"\n#include <stdio.h>\n#include <stdlib.h>\n'
        "static void stop(void *unused) { (void)unused; abort(); }\n"
        "static void end(void *unused) { (void)unused; }\n"
        'static void say(void *unused) { (void)unused; fputs("word, word\\n", stderr); }\n'
        "static void compare(void *unused) { (void)unused; EXPECT_EQ(1, 2); }\n"
        'TEST(WrongTest, Compares) { NOTE("of three"); EXPECT_EQ(1, 2); }\n'
        'TEST(WrongTest, IsNotStopped) { EXPECT_STOPS(end, NULL, ""); }\n'
        'TEST(WrongTest, SaysOther) { EXPECT_STOPS(stop, NULL, "words\\n"); }\n'
        'TEST(WrongTest, DoesNotEnd) { EXPECT_RUNS(stop, NULL, ""); }\n'
        "TEST(WrongTest, FailsInAFork) { EXPECT_FORKS(compare, NULL); }\n"
        'TEST(RightTest, IsStopped) { EXPECT_STOPS(stop, NULL, ""); }\n'
        'TEST(RightTest, SaysTheSameTwice) { EXPECT_RUNS(say, NULL, "([a-z]+), \\\\1\\n"); }\n'
        'TEST(RightTest, IsSkipped) { SKIP("so"); }\n'
    )
    program = tmp_path / "wrong_test"
    runner = [file for file in (ROOT / "tests/unit").glob("*.c") if not file.stem.endswith("_test")]
    options = ["-D_GNU_SOURCE", "-fno-builtin", f"-I{ROOT / 'tests'}"]
    compiled = folder / "src/CMakeFiles/hakmem_objects.dir"  # the static library's own names are local to it
    files = [compiled / f"{file.relative_to(ROOT / 'src')}.o" for file in (ROOT / "src").rglob("*.c")]
    objects = [file for file in files if file.exists()]
    status, output = call(["musl-gcc", *options, source, *runner, *objects, "-o", program])
    assert status == 0, output
    status, output = call([program])
    assert status == 1
    assert f"{source}:8: 1 == 2\n  left:  1 (0x1)\n  right: 2 (0x2)\n  of three\n" in output
    assert re.findall(r"^\[ +(FAILED|OK|SKIPPED) +\] (\S+)", output, re.MULTILINE) == [
        ("FAILED", "WrongTest.Compares"),
        ("FAILED", "WrongTest.IsNotStopped"),
        ("FAILED", "WrongTest.SaysOther"),
        ("FAILED", "WrongTest.DoesNotEnd"),
        ("FAILED", "WrongTest.FailsInAFork"),
        ("OK", "RightTest.IsStopped"),
        ("OK", "RightTest.SaysTheSameTwice"),
        ("SKIPPED", "RightTest.IsSkipped"),
    ]
    for chosen, expected in {"RightTest.*": 0, "*.Is*-Wrong*": 0, "*.SaysO?her": 1, "None.*": 1}.items():
        assert call([program, f"--gtest_filter={chosen}"])[0] == expected, chosen
    assert call([program, "--gtest_list_tests", "--gtest_filter=*.Says*"]) == (
        0,
        "WrongTest.\n  SaysOther\nRightTest.\n  SaysTheSameTwice\n",
    )
    thrice = call([program, "--gtest_filter=RightTest.*", "--gtest_repeat=3"])
    assert thrice[1].endswith("6 passed, 3 skipped, 0 failed\n")
    assert call([program, "--gtest_filtre=*"])[0] == 2


@pytest.mark.slow
@pytest.mark.parametrize("test", [*CONTRACT, "model_random_calls"])
def test_aarch64_keeps_the_contract(build, test):
    if not any_cxx():
        pytest.skip("GoogleTest cannot be built for aarch64 here")
    folder = build("aarch64", f"{test}_test")
    line = [*EMULATOR, folder / f"tests/{test}_test", f"--gtest_filter=-{GTEST_NOT_UNDER_QEMU}"]
    status, output = call(line, env=emulated("aarch64"))
    assert status == 0, output[-4000:]


def test_the_reader_tells_the_threads_of_aarch64(build, tmp_path):
    """Under the emulator, whose threads have the numbers of the program's."""
    library = build("aarch64", "hakmem") / "lib/libhakmem.so"
    program = tmp_path / "known_blocks"
    source = ROOT / "tests/inspect/known_blocks.c"
    status, output = call(["aarch64-linux-gnu-gcc", "-O1", "-fno-builtin", "-pthread", source, "-o", program])
    assert status == 0, output
    line = [*EMULATOR, "-E", f"LD_PRELOAD={library}", program]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        told = "".join(iter(child.stdout.readline, "ready\n"))
        heap = Heap(Process(child.pid))
        child.stdin.close()
        child.kill()
    blocks = dict(re.findall(r"^(\w+) (0x[0-9a-f]+)$", told, re.MULTILINE))
    owner = heap.heaps[heap.run_of(int(blocks["live"], 16)).owner]
    other = heap.heaps[heap.run_of(int(blocks["other"], 16)).owner]
    assert owner.tid == child.pid and other.tid not in (0, child.pid), (owner, other)


def slabs_bound(output):
    return int(re.search(r"^\[HAKMEM\] .* slabs_bound=(\d+)", output, re.MULTILINE)[1])


@pytest.mark.parametrize("line", ["random_mixed 200000 400 1", "churn", "waves"], ids=lambda line: line.split()[0])
def test_programs_of_musl_run_on_hakmem(build, line):
    program, *arguments = line.split()
    folder = build("musl", "hakmem", f"bench_{program}")
    environment = {"HAKMEM_VERBOSE": "1", "LD_PRELOAD": str(folder / "lib/libhakmem.so")}
    status, output = call([folder / "bench" / program, *arguments], env=environment)
    assert status == 0, output
    report = json.loads(next(line for line in output.splitlines() if line.startswith("{")))
    assert report["allocator_path"] == environment["LD_PRELOAD"]
    assert slabs_bound(output) > 0


STATIC = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *argument) {
  char *blocks[500] = {0};
  for (int i = 0; i < 100000; i++) {
    int slot = i * 7 % 500;
    free(blocks[slot]);
    if (!(blocks[slot] = malloc((size_t)(i % 3000) + 1))) abort();
    memset(blocks[slot], 1, (size_t)(i % 3000) + 1);
  }
  for (int i = 0; i < 500; i++) free(blocks[i]);
  return argument;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) if (pthread_create(&threads[i], NULL, work, NULL)) return 1;
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  work(NULL);
  puts("done");
  return 0;
}
"""


def test_a_static_program_of_musl_runs_on_hakmem(build, tmp_path):
    library = build("musl", "hakmem_static") / "lib/libhakmem.a"
    source, program = tmp_path / "program.c", tmp_path / "program"
    source.write_text(STATIC)
    status, output = call(["musl-gcc", "-static", "-O1", "-fno-builtin", "-pthread", source, library, "-o", program])
    assert status == 0, output
    status, output = call([program], env={"HAKMEM_VERBOSE": "1"})
    assert (status, output.splitlines()[0]) == (0, "done"), output
    assert slabs_bound(output) > 10


@pytest.mark.slow
def test_everything_by_clang(build, record_property):
    folder = build("clang", "all")
    line = ["ctest", "--test-dir", folder, "-j2", "-LE", "^slow$", "--timeout", "300", "--output-on-failure"]
    status, output = call(line, timeout=1800)
    assert status == 0, output[-6000:]
    record_property("note", re.search(r"\d+% tests passed, .*", output)[0])
