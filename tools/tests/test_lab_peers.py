"""Peers: found, named when missing, and recognized as those that served."""

import pytest

from hakmem_lab import peers
from hakmem_lab.errors import LabError, UnsoundError
from hakmem_lab.peers import Allocator
from hakmem_lab.runner import child_environment, parse_report


def silent(sentence):
    pass


@pytest.fixture
def bare_machine(monkeypatch):
    """No peer is installed, and none can be."""
    monkeypatch.setattr(peers, "find_library", lambda patterns: None)
    monkeypatch.setattr(peers, "_can_install", lambda: False)


def test_the_first_pattern_that_matches_is_taken(tmp_path):
    for name in ("libmimalloc.so.3.0", "libmimalloc.so.2.0"):
        (tmp_path / name).touch()
    found = peers.find_library(("libmimalloc.so.2*", "libmimalloc.so.3*"), (str(tmp_path),))
    assert found == tmp_path / "libmimalloc.so.2.0"
    assert peers.find_library(("libjemalloc.so.2",), (str(tmp_path),)) is None


def test_peers_that_are_not_there_are_named_and_left_out(bare_machine):
    said = []
    assert [peer.name for peer in peers.discover(said.append)] == ["glibc"]
    assert [sentence.split(" ")[2] for sentence in said] == ["jemalloc", "mimalloc", "tcmalloc"]
    assert all(sentence.startswith("left out: ") and "apt-get install" in sentence for sentence in said)


def test_a_peer_asked_for_by_name_must_be_there(bare_machine):
    with pytest.raises(LabError, match=r"the peer mimalloc is not on this machine \(apt-get install libmimalloc2.0\)"):
        peers.require("mimalloc", silent)


def test_root_installs_what_the_acceptance_needs(monkeypatch, tmp_path):
    library = tmp_path / "libjemalloc.so.2"
    installed = []

    def install(package, say):
        installed.append(package)
        library.touch()

    monkeypatch.setattr(peers, "find_library", lambda patterns: library if library.exists() else None)
    monkeypatch.setattr(peers, "_can_install", lambda: True)
    monkeypatch.setattr(peers, "_install", install)
    assert peers.require("jemalloc", silent).library == library
    assert installed == ["libjemalloc2"]


def test_an_unknown_peer_gets_the_nearest_name():
    with pytest.raises(LabError, match="there is no peer 'mimaloc'; did you mean mimalloc"):
        peers.require("mimaloc", silent)


def test_a_peer_by_path(tmp_path):
    library = tmp_path / "libother.so"
    with pytest.raises(LabError, match="is not a file"):
        peers.require(str(library), silent)
    library.touch()
    assert peers.require(str(library), silent) == Allocator("libother.so", library)


def test_the_library_under_test_must_be_built(tmp_path):
    with pytest.raises(LabError, match=r"is missing: build it first with ./hakmem build"):
        peers.subject(tmp_path / "libhakmem.so")


def test_served_follows_links(tmp_path):
    real = tmp_path / "libjemalloc.so.2.0"
    real.touch()
    link = tmp_path / "libjemalloc.so.2"
    link.symlink_to(real)
    assert Allocator("jemalloc", link).served(str(real))
    assert not Allocator("jemalloc", link).served("/lib/libc.so.6")
    assert peers.glibc().served("/lib/x86_64-linux-gnu/libc.so.6")
    assert not peers.glibc().served(str(real))


def test_the_environment_preloads_one_library_and_keeps_the_workload(monkeypatch, tmp_path):
    monkeypatch.setenv("LD_PRELOAD", "/somewhere/else.so")
    monkeypatch.setenv("HAKMEM_BENCH_MIN_SIZE", "512")
    monkeypatch.setenv("HAKMEM_PROFILE", "speed")
    bare = child_environment(peers.glibc(), {})
    assert "LD_PRELOAD" not in bare
    assert "HAKMEM_BENCH_MIN_SIZE" not in bare
    assert bare["HAKMEM_PROFILE"] == "speed"
    extra = {"HAKMEM_BENCH_C5_ONLY": "1"}
    preloaded = child_environment(Allocator("x", tmp_path / "x.so"), extra)
    assert preloaded["LD_PRELOAD"] == str(tmp_path / "x.so")
    assert preloaded["HAKMEM_BENCH_C5_ONLY"] == "1"


def test_a_run_on_the_wrong_allocator_is_unsound(tmp_path):
    report = '{"allocator_path": "/lib/x86_64-linux-gnu/libc.so.6"}'
    with pytest.raises(UnsoundError, match=r"waves was to run on x, but /lib/.*libc.so.6 served it"):
        parse_report(report, "waves", Allocator("x", tmp_path / "x.so"))


@pytest.mark.parametrize("output", ["", "hello\n", "[1]\n", '{"seconds": 1}\n'])
def test_a_run_without_a_report_is_unsound(output):
    with pytest.raises(UnsoundError, match="printed no report"):
        parse_report(output, "waves", peers.glibc())
