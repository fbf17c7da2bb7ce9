"""The live screen: what it shows, what its keys do, and how it ends."""

import asyncio
import subprocess
from types import SimpleNamespace

import pytest
from hakmem_inspect import process
from hakmem_inspect.screen import Screen
from hakmem_inspect.screen_table import ScreenTable
from hakmem_program import clean_environment
from textual.widgets import Static, TabbedContent


def with_screen(program, steps, interval=60, width=120):
    """Runs steps, a coroutine of screen and pilot, on the screen of a program."""

    async def run():
        screen = Screen(process.Process(program.pid), interval)
        async with screen.run_test(size=(width, 40)) as pilot:
            await pilot.pause()
            await steps(screen, pilot)
        return screen

    return asyncio.run(run())


def column(screen, name, number):
    return [row[number] for row in screen.query_one(f"#{name}-table", ScreenTable).rows]


def test_it_shows_classes_and_threads(plain_standing):
    async def steps(screen, pilot):
        assert f"process {plain_standing.pid} (known_blocks)" in str(screen.query_one("#whole", Static).content)
        assert "64 B" in column(screen, "classes", 0) and "1,024 B" in column(screen, "classes", 0)
        assert f"thread {plain_standing.pid} (known_blocks)" in column(screen, "threads", 0)
        await pilot.press("tab")
        assert screen.query_one("#tabs", TabbedContent).active == "threads"
        await pilot.press("q")

    with_screen(plain_standing, steps)


@pytest.mark.parametrize("key, heading", [("l", "live"), ("c", "cached"), ("h", "held"), ("n", "size")])
def test_keys_sort(plain_standing, key, heading):
    async def steps(screen, pilot):
        await pilot.press(key)
        sizes = [int(text.split()[0].replace(",", "")) for text in column(screen, "classes", 0)]
        figures = {one["size"]: one[heading] for one in screen.document["classes"]}
        order = [figures[size] for size in sizes]
        assert order == sorted(order, reverse=heading != "size")

    with_screen(plain_standing, steps)


@pytest.mark.parametrize("width, left_out", [(160, set()), (80, {"holes", "fresh"})])
def test_what_is_shown_fits(plain_standing, width, left_out):
    async def steps(screen, pilot):
        await pilot.press("c")
        table = screen.query_one("#classes-table", ScreenTable)
        heading, row = table.render_line(0).text.split(), table.render_line(1).text
        assert {"size", "live", "cached", "held", "waste"} <= set(heading)
        assert {"holes", "fresh"} - set(heading) == left_out
        assert len(row.rstrip()) <= width - 2 and row.rstrip().endswith("%")
        assert screen.screen.max_scroll_y == 0 and table.max_scroll_x == 0

    with_screen(plain_standing, steps, width=width)


def test_it_looks_again_and_can_be_paused(busy):
    async def steps(screen, pilot):
        first = screen.document
        screen.look()
        assert screen.document is not first and "/s" in str(screen.query_one("#rates", Static).content)
        await pilot.press("space")
        paused = screen.document
        screen.look()
        assert screen.document is paused

    with_screen(busy, steps)


# Allocates 100 blocks of 1,000 bytes each time that a byte comes, and frees 20 of 2,000.
GROWS = r"""
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  char turn;
  static void *many[1000], *volatile kept;
  for (int i = 0; i < 1000; i++) many[i] = malloc(2000);
  puts("ready");
  fflush(stdout);
  for (int round = 0; read(0, &turn, 1) == 1; round++) {
    for (int i = 0; i < 100; i++) kept = malloc(1000);
    for (int i = 0; i < 20; i++) free(many[round * 20 + i]);
    puts("done");
    fflush(stdout);
  }
  return kept == NULL;
}
"""


def test_rates_by_class(compile_c, variant):
    environment = clean_environment({"LD_PRELOAD": str(variant("release"))})
    child = subprocess.Popen(
        [compile_c(GROWS, "grows")], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=0
    )
    assert child.stdout.readline() == "ready\n"

    async def steps(screen, pilot):
        assert column(screen, "classes", 3) == ["–"] * len(screen.document["classes"])
        before = screen.document
        child.stdin.write("x")
        assert child.stdout.readline() == "done\n"
        await asyncio.sleep(0.3)
        screen.look()
        seconds = (screen.document["process"]["milliseconds"] - before["process"]["milliseconds"]) / 1000
        rates = {one["size"]: (one["net_blocks"], one["net_live"]) for one in screen.document["classes"]}
        assert rates[1024] == (round(100 / seconds), round(102400 / seconds))
        assert rates[2048] == (round(-20 / seconds), round(-40960 / seconds))
        assert all(rate == (0, 0) for size, rate in rates.items() if size not in (1024, 2048))
        await pilot.press("g")
        assert column(screen, "classes", 0)[0] == "1,024 B" and column(screen, "classes", 0)[-1] == "2,048 B"
        assert column(screen, "classes", 3)[0] == f"+{round(100 / seconds):,}"
        assert "net change: live +" in str(screen.query_one("#rates", Static).content)

    with_screen(SimpleNamespace(pid=child.pid), steps)
    child.kill()
    child.wait()


def test_the_end_of_the_process_ends_it(start):
    program = start("known_blocks")

    async def steps(screen, pilot):
        program.process.kill()
        program.process.wait()
        screen.look()
        await pilot.pause()

    screen = with_screen(program, steps)
    assert screen.error is not None and screen.error.what == f"there is no process {program.pid}"
