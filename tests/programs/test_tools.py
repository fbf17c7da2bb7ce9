"""Tools: sqlite3, git, ghostscript."""

import hashlib
from pathlib import Path

import pytest

from stage import find

INPUTS = Path(__file__).resolve().parents[2] / "bench" / "programs"

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


def test_sqlite3(same_output, version):
    sqlite = find("sqlite3")

    def work(stage):
        in_memory, _ = stage.good(sqlite, ":memory:", input=SQL)
        assert in_memory.endswith("ok\n")
        stage.good(sqlite, "file.db", input=SQL)
        dump, _ = stage.good(sqlite, "file.db", ".dump")
        assert len(dump) > 500000
        return in_memory, dump

    same_output(work, f"sqlite3 {version(sqlite).partition(' ')[0]}", by=["sqlite3"])


# ---- git ----

GIT = {
    "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "c",
    "GIT_COMMITTER_EMAIL": "c@example.org", "GIT_AUTHOR_DATE": "1700000000 +0000",
    "GIT_COMMITTER_DATE": "1700000000 +0000",
}  # fmt: skip


def test_git(same_output, version):
    git = find("git")

    def work(stage):
        """A small history, packed and cloned; returns all that git said of it."""

        def call(*arguments):
            return stage.good(git, *arguments, env=GIT)

        call("init", "-q", "-b", "main")
        for i in range(8):
            for j in range(40):
                lines = "".join(f"line {k * (j + 1) % (i + 7)}\n" for k in range(300))
                (stage.folder / f"file{j}.txt").write_text(lines)
            call("add", ".")
            call("commit", "-q", "-m", f"change {i}")
        call("gc", "-q", "--aggressive")
        said = [call("fsck", "--full", "--strict"), call("log", "--stat", "--format=%H %s")]
        said += [call("diff", "HEAD~3", "HEAD~1"), call("blame", "file3.txt")]
        call("clone", "-q", f"file://{stage.folder}", "clone")
        said.append(call("-C", "clone", "rev-parse", "HEAD"))
        assert len(str(said)) > 10000
        return said

    same_output(work, version(git), by=["git"])


# ---- ghostscript ----


@pytest.mark.slow
def test_ghostscript(same_output, version):
    gs = find("gs")
    quiet = ["-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sPAPERSIZE=letter"]

    def work(stage):
        """Pages as a picture; as a PDF, which keeps its time, only as the picture that comes of that."""
        stage.good(gs, *quiet, "-sDEVICE=ppmraw", "-r72", "-sOutputFile=a%d.ppm", "-dPages=4", INPUTS / "pages.ps")
        stage.good(gs, *quiet, "-sDEVICE=pdfwrite", "-sOutputFile=b.pdf", "-dPages=4", INPUTS / "pages.ps")
        stage.good(gs, *quiet, "-sDEVICE=png16m", "-r72", "-sOutputFile=b%d.png", "b.pdf")
        pictures = sorted(file for file in stage.folder.iterdir() if file.suffix in (".ppm", ".png"))
        assert len(pictures) == 8
        return [(file.name, hashlib.sha256(file.read_bytes()).hexdigest()) for file in pictures]

    same_output(work, f"ghostscript {version(gs)}", by=["gs"])
