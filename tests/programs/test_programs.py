"""Real programs give the same output on hakmem as without it, and the [HAKMEM] line proves that hakmem served them."""

import os
import re
import signal
import socket
import subprocess
import time

import pytest

from hakmem_program import Run, clean_environment, numbers


def same(plain, preload, *command, env=(), **keywords):
    """Runs a command without and with hakmem; returns the second run after comparing the two."""
    without = plain(command, env, **keywords)
    on_hakmem = preload(*command, env=env, **keywords)
    assert without.code == 0, without
    assert on_hakmem.code == without.code, on_hakmem
    assert on_hakmem.out == without.out
    assert on_hakmem.rest == without.err
    return on_hakmem.served()


# ---- python3 ----

PYTHON_WORK = """
import collections, hashlib, json, random, re, subprocess, sys, threading, zlib

random.seed(5)
rows = [{"id": i, "name": "x" * random.randrange(300), "tags": [random.random() for _ in range(i % 20)]} for i in range(5000)]
text = json.dumps(rows)
print(len(text), hashlib.sha256(json.dumps(json.loads(text)).encode()).hexdigest())
print(hashlib.sha256(zlib.compress(text.encode())).hexdigest())
counter = collections.Counter(re.findall("[0-9]+", text))
print(counter.most_common(3))

results = [None] * 8
def work(n):
    table = {str(i): [i] * (i % 50) for i in range(3000)}
    for i in range(0, 3000, 2):
        del table[str(i)]
    results[n] = sum(len(v) for v in table.values())
threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
for t in threads: t.start()
for t in threads: t.join()
print(results)
print(subprocess.run([sys.executable, "-c", "print(len([bytes(i) for i in range(5000)]))"], capture_output=True, text=True).stdout)
big = bytearray()
for i in range(2000):
    big += b"y" * 5000
print(len(big), zlib.crc32(big))
"""


@pytest.mark.parametrize("allocator", ["malloc", "pymalloc"])
def test_python(plain, preload, tool, allocator):
    env = {"PYTHONHASHSEED": "0", "PYTHONMALLOC": allocator}
    done = same(plain, preload, tool("python3"), "-c", PYTHON_WORK, env=env)
    assert numbers(done.hakmem[-1])["slabs_bound"] >= 10


def test_python_prints_42(preload, tool):
    done = preload(tool("python3"), "-c", "print(6*7)").served()
    assert (done.out, done.rest, done.code) == ("42\n", "", 0)


def test_python_forks_workers(plain, preload, tool):
    code = """
import multiprocessing

def square(x):
    return sum(len(str(i)) for i in range(x * 100))

if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(4) as pool:
        print(pool.map(square, range(40)))
"""
    same(plain, preload, tool("python3"), "-c", code)


# ---- sqlite3 ----

SQL = """
PRAGMA journal_mode=MEMORY;
CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, value REAL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
  INSERT INTO t SELECT i, hex(i * 7919 % 100003) || substr('abcdefghijklmnop', 1, i % 16), i * 0.5 FROM n;
CREATE INDEX by_name ON t (name);
SELECT count(*), sum(value), min(name), max(name) FROM t;
SELECT substr(name, 1, 2) AS k, count(*), group_concat(id) FROM t WHERE id % 97 = 0 GROUP BY k ORDER BY k;
DELETE FROM t WHERE id % 3 = 0;
VACUUM;
SELECT count(*), total(value) FROM t;
SELECT a.id, b.name FROM t a JOIN t b ON b.id = a.id * 2 WHERE a.id % 501 = 1 ORDER BY b.name LIMIT 40;
PRAGMA integrity_check;
"""


def test_sqlite3(plain, preload, tool):
    done = same(plain, preload, tool("sqlite3"), ":memory:", input=SQL)
    assert done.out.endswith("ok\n")


def test_sqlite3_file(plain, preload, tool, tmp_path):
    sqlite = tool("sqlite3")
    dumps = []
    for start in (lambda *command, **more: plain(command, **more), preload):
        file = tmp_path / f"{len(dumps)}.db"
        assert start(sqlite, file, input=SQL).code == 0
        dumps.append(start(sqlite, file, ".dump").out)
    assert len(dumps[0]) > 500000
    assert dumps[0] == dumps[1]


# ---- git ----


def work_with_git(start, git, folder):
    """A small history, packed; returns all that git said of it."""
    folder.mkdir()
    env = {
        "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "c", "GIT_COMMITTER_EMAIL": "c@example.org", "GIT_AUTHOR_DATE": "1700000000 +0000",
        "GIT_COMMITTER_DATE": "1700000000 +0000",
    }  # fmt: skip
    runs = []

    def call(*arguments):
        runs.append(start(git, *arguments, cwd=folder, env=env))
        assert runs[-1].code == 0, (arguments, runs[-1])
        return runs[-1].out

    call("init", "-q", "-b", "main")
    for i in range(8):
        for j in range(40):
            (folder / f"file{j}.txt").write_text("".join(f"line {k * (j + 1) % (i + 7)}\n" for k in range(300)))
        call("add", ".")
        call("commit", "-q", "-m", f"change {i}")
    call("gc", "-q", "--aggressive")
    call("fsck", "--full", "--strict")
    output = call("log", "--stat", "--format=%H %s") + call("diff", "HEAD~3", "HEAD~1") + call("blame", "file3.txt")
    return output, runs


def test_git(plain, preload, tool, tmp_path):
    git = tool("git")
    without, _ = work_with_git(lambda *command, env, **more: plain(command, env, **more), git, tmp_path / "without")
    on_hakmem, runs = work_with_git(preload, git, tmp_path / "with")
    assert on_hakmem == without
    assert len(without) > 10000
    for done in runs:
        done.served()


# ---- gcc ----

CXX = r"""
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <regex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

template <int N> struct Fibonacci { static constexpr long value = Fibonacci<N - 1>::value + Fibonacci<N - 2>::value; };
template <> struct Fibonacci<1> { static constexpr long value = 1; };
template <> struct Fibonacci<0> { static constexpr long value = 0; };

int main() {
  std::map<std::string, std::vector<int>> table;
  for (int i = 0; i < 2000; i++) table[std::to_string(i % 97)].push_back(i);
  std::unordered_map<int, std::string> other;
  for (auto &[name, values] : table) other[static_cast<int>(values.size())] += name;
  std::regex pattern("(1[0-9]+)|(x*y)");
  long sum = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([t, &table] {
      std::vector<std::string> words;
      for (int i = 0; i < 20000; i++) words.push_back(std::string(static_cast<size_t>(i % 100), static_cast<char>('a' + t)));
      std::sort(words.begin(), words.end());
    });
  }
  for (auto &thread : threads) thread.join();
  for (auto &[size, names] : other) sum += size + static_cast<long>(std::regex_replace(names, pattern, "-").size());
  std::cout << sum << ' ' << Fibonacci<40>::value << '\n';
}
"""


def test_gcc_compiles_cxx(plain, preload, tool, tmp_path):
    compiler = tool("g++")
    source = tmp_path / "work.cc"
    source.write_text(CXX)
    objects = []
    for name, start in (("without", lambda *command, **more: plain(command, **more)), ("with", preload)):
        file = tmp_path / f"{name}.o"
        done = start(compiler, "-std=c++17", "-O1", "-c", source, "-o", file)
        assert done.code == 0, done
        objects.append(file.read_bytes())
        if name == "with":
            # The driver, the compiler proper and the assembler each ran on it.
            assert len(done.served().hakmem) >= 3
            assert done.rest == ""
    assert objects[0] == objects[1]
    program = tmp_path / "work"
    done = preload(compiler, "-pthread", tmp_path / "with.o", "-o", program)
    assert done.code == 0, done
    same(plain, preload, program)


# ---- redis ----

REDIS_COMMANDS = """
SET greeting hello
GET greeting
INCRBY counter 41
INCR counter
APPEND greeting " world, and a good deal more than fits into a small block, so that it moves"
GET greeting
RPUSH list a b c d e f g
LRANGE list 0 -1
SADD set one two three
SCARD set
HSET hash field value other thing
HGETALL hash
ZADD scores 3 c 1 a 2 b
ZRANGE scores 0 -1 WITHSCORES
SETRANGE sparse 1000000 x
STRLEN sparse
EVAL "local t = {} for i = 1, 3000 do t[i] = tostring(i) end return #table.concat(t)" 0
DEL list
EXISTS list
DBSIZE
FLUSHALL
DBSIZE
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Redis:
    """A redis-server on a loopback port, with or without hakmem."""

    def __init__(self, tool, folder, environment):
        self._cli, self._benchmark = tool("redis-cli"), tool("redis-benchmark")
        self._port = free_port()
        options = ["--port", self._port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder]
        self._process = subprocess.Popen(
            [tool("redis-server"), *map(str, options)],
            env=clean_environment(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def wait_until_ready(self):
        deadline = time.monotonic() + 30
        while self.cli("PING").strip() != "PONG":
            assert self._process.poll() is None, self._process.stderr.read()
            assert time.monotonic() < deadline, "redis-server does not answer"
            time.sleep(0.05)

    def cli(self, *command, text=None):
        done = subprocess.run(
            [self._cli, "-p", str(self._port), *command], env=clean_environment(), input=text, capture_output=True, text=True, timeout=60
        )
        return done.stdout

    def benchmark(self):
        done = subprocess.run(
            [self._benchmark, "-p", str(self._port), "-n", "4000", "-c", "20", "-d", "500", "-q"],
            env=clean_environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=110,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    def stop(self):
        """Shuts the server down in order and returns how it ended."""
        self.cli("SHUTDOWN", "NOSAVE")
        _, errors = self._process.communicate(timeout=30)
        return Run(self._process.returncode, "", errors)

    def kill(self):
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGKILL)
            self._process.communicate()


def test_redis(library, tool, tmp_path):
    answers = []
    for environment in ({}, {"LD_PRELOAD": str(library), "HAKMEM_VERBOSE": "1"}):
        server = Redis(tool, tmp_path, environment)
        try:
            server.wait_until_ready()
            answers.append(server.cli(text=REDIS_COMMANDS))
            if environment:
                assert "GET: " in server.benchmark()
                assert int(server.cli("DBSIZE")) > 0
                # A fork that copies the whole heap: its child walks it and frees.
                assert server.cli("BGSAVE").strip() == "Background saving started"
                deadline = time.monotonic() + 30
                while "rdb_bgsave_in_progress:0" not in server.cli("INFO", "persistence"):
                    assert time.monotonic() < deadline, "BGSAVE does not end"
                    time.sleep(0.05)
                assert "rdb_last_bgsave_status:ok" in server.cli("INFO", "persistence")
            done = server.stop()
        finally:
            server.kill()
        assert done.code == 0, done
        if environment:
            done.served()
            assert max(numbers(line)["slabs_bound"] for line in done.hakmem) >= 20
    assert answers[0] == answers[1]
    assert "hello world" in answers[0] and "10893" in answers[0]


# ---- tools that look into programs ----

LOOKED_AT = r"""
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) void stop_here(char *block) { __asm__ volatile("" : : "r"(block)); }

__attribute__((noinline)) static void *work(void *argument) {
  for (int i = 0; i < 20000; i++) {
    char *block = malloc((size_t)i % 3000 + 1);
    if (!block) abort();
    block[0] = 1;
    block = realloc(block, (size_t)i % 5000 + 1);
    if (block) block[0] = 2;
    free(block);
  }
  free(malloc(3000000));
  return argument;
}

int main(void) {
  pthread_t thread;
  char *block = malloc(100);
  strcpy(block, "looked at");
  stop_here(block);
  work(NULL);
  if (pthread_create(&thread, NULL, work, NULL)) return 1;
  pthread_join(thread, NULL);
  puts(block);
  free(block);
  return 0;
}
"""


@pytest.fixture(scope="module")
def looked_at(compile_c):
    return compile_c(LOOKED_AT, "looked_at")


def test_gdb(plain, library, tool, looked_at):
    script = [
        "set confirm off",
        "set debuginfod enabled off",
        f"set environment LD_PRELOAD {library}",
        "set environment HAKMEM_VERBOSE 1",
        "set startup-with-shell off",
        "break stop_here",
        "run",
        "backtrace",
        "print block",
        "finish",
        "print ((void *(*)(unsigned long))malloc)(100)",
        "print ((void (*)(void *))free)($)",
        "delete",
        "continue",
    ]
    done = plain([tool("gdb"), "-nx", "-batch", *[part for line in script for part in ("-ex", line)], looked_at])
    if "ptrace: Operation not permitted" in done.err + done.out:
        pytest.skip("this container does not allow ptrace")
    assert "Breakpoint 1, stop_here" in done.out, done
    assert re.search(r'\$1 = 0x[0-9a-f]+ "looked at"', done.out), done
    assert "exited normally" in done.out, done
    if "Couldn't write extended state" not in done.err:  # some systems do not let a debugger call functions
        assert "$2 = (void *) 0x" in done.out
    done.served()


def test_gdb_itself_runs_on_hakmem(preload, tool, looked_at):
    done = preload(tool("gdb"), "-nx", "-batch", "-ex", "info line main", "-ex", "disassemble work", looked_at)
    assert done.code == 0 and "Line 2" in done.out, done
    done.served()


def test_valgrind_memcheck_replaces_malloc(preload, tool, looked_at):
    """By default memcheck puts its own malloc in the place of any: the program must not notice that ours is there too."""
    done = preload(tool("valgrind"), "--quiet", "--error-exitcode=9", looked_at)
    assert done.code == 0, done
    assert done.out == "looked at\n"


@pytest.mark.parametrize("which", ["memcheck", "callgrind"])
def test_valgrind_runs_programs_on_hakmem(preload, tool, looked_at, tmp_path, which):
    options = {
        "memcheck": ["--soname-synonyms=somalloc=nouserintercepts", "--leak-check=no"],
        "callgrind": [f"--callgrind-out-file={tmp_path}/callgrind.out"],
    }[which]
    done = preload(tool("valgrind"), f"--tool={which}", *options, "--error-exitcode=9", looked_at)
    assert done.code == 0, done
    assert done.out == "looked at\n"
    done.served()
    if which == "memcheck":
        assert "ERROR SUMMARY: 0 errors" in done.err


def test_valgrind_runs_python_on_hakmem(preload, tool, tmp_path):
    command = ["--tool=none", "--quiet", tool("python3"), "-S", "-c", "print(sum(len(str(i)) for i in range(3000)))"]
    done = preload(tool("valgrind"), *command)
    assert done.code == 0, done
    assert done.out == "10890\n"
    done.served()


def test_strace_shows_few_calls(plain, library, tool, looked_at, tmp_path):
    """A smoke test of the tool; how many calls are allowed, the benchmarks say."""
    log = tmp_path / "strace.txt"
    done = plain([tool("strace"), "-f", "-o", log, "-E", f"LD_PRELOAD={library}", looked_at])
    if "ptrace" in done.err and done.code != 0:
        pytest.skip("this container does not allow ptrace")
    assert done.code == 0, done
    assert done.out == "looked at\n"
    assert os.path.getsize(log) > 0
