"""Compilers: gcc and clang on C++, cargo on Rust. What they made is the same, and runs."""

import hashlib
import os

import pytest

from stage import find

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
      for (size_t i = 0; i < 20000; i++) words.push_back(std::string(i % 100, static_cast<char>('a' + t)));
      std::sort(words.begin(), words.end());
    });
  }
  for (auto &thread : threads) thread.join();
  for (auto &[size, names] : other) sum += size + static_cast<long>(std::regex_replace(names, pattern, "-").size());
  std::cout << sum << ' ' << Fibonacci<40>::value << '\n';
}
"""



def objects_of(folder):
    return [(file.name, hashlib.sha256(file.read_bytes()).hexdigest()) for file in sorted(folder.glob("*.o"))]


def compile_cxx(stage, compiler, *levels):
    """Compiles, links and runs the program; returns what was said, the objects and the program's output."""
    (stage.folder / "work.cc").write_text(CXX)
    said = []
    for level in levels:
        options = ["-std=c++17", level, f"-fdebug-prefix-map={stage.folder}=."]
        said.append(stage.good(compiler, *options, "-c", "work.cc", "-o", f"work{level}.o"))
        said.append(stage.good(compiler, "-pthread", f"work{level}.o", "-o", "work"))
        said.append(stage.good(stage.folder / "work"))
    return said, objects_of(stage.folder)


def test_gcc(same_output, version):
    compiler = find("g++")
    # The driver, the compiler proper, the assembler, the linker, and what they made.
    by = ["cc1plus", "as", "ld", "work"]
    same_output(lambda stage: compile_cxx(stage, compiler, "-O1"), version(compiler), by)


@pytest.mark.slow
def test_gcc_optimizing(same_output, version):
    compiler = find("g++")
    same_output(lambda stage: compile_cxx(stage, compiler, "-g", "-O3"), version(compiler), ["cc1plus"])


@pytest.mark.slow
def test_clang(same_output, version):
    compiler = find("clang++", ["/usr/lib/llvm-14/bin"])
    same_output(lambda stage: compile_cxx(stage, compiler, "-O1", "-O2"), version(compiler), ["clang++", "ld", "work"])


MANIFEST = """
[package]
name = "work"
version = "0.1.0"
edition = "2021"

[profile.dev]
debug = 0
"""

RUST = """
mod tree;

use std::collections::{BTreeMap, HashMap};
use std::thread;

fn main() {
    let workers: Vec<_> = (0..4u64).map(|n| thread::spawn(move || tree::Tree::grown(n, 5000).sum())).collect();
    println!("{:?}", workers.into_iter().map(|worker| worker.join().unwrap()).collect::<Vec<_>>());
    let mut words: HashMap<String, Vec<usize>> = HashMap::new();
    for i in 0..50000usize {
        words.entry(format!("w{}", i * 7919 % 4093)).or_default().push(i);
    }
    words.retain(|_, places| places.len() % 2 == 0);
    let sorted: BTreeMap<_, _> = words.into_iter().collect();
    println!("{} {:?}", sorted.len(), sorted.iter().next());
}

#[cfg(test)]
mod tests {
    #[test]
    fn trees_keep_what_they_get() {
        assert_eq!(crate::tree::Tree::grown(1, 100).count(), 100);
    }
}
"""

RUST_TREE = """
#[derive(Default)]
pub struct Tree(Option<Box<Node>>);

struct Node {
    value: u64,
    name: String,
    left: Tree,
    right: Tree,
}

impl Tree {
    pub fn grown(seed: u64, count: usize) -> Tree {
        let mut tree = Tree::default();
        let mut state = seed + 1;
        for _ in 0..count {
            state = state * 16807 % 2147483647;
            tree.insert(state);
        }
        tree
    }

    fn insert(&mut self, value: u64) {
        match &mut self.0 {
            None => {
                let name = "n".repeat((value % 90) as usize);
                self.0 = Some(Box::new(Node { value, name, left: Tree::default(), right: Tree::default() }));
            }
            Some(node) if value < node.value => node.left.insert(value),
            Some(node) => node.right.insert(value),
        }
    }

    pub fn sum(&self) -> u64 {
        self.0.as_ref().map_or(0, |node| node.value + node.name.len() as u64 + node.left.sum() + node.right.sum())
    }

    #[allow(dead_code)]
    pub fn count(&self) -> usize {
        self.0.as_ref().map_or(0, |node| 1 + node.left.count() + node.right.count())
    }
}
"""


@pytest.mark.slow
def test_cargo_build(same_output, version):
    cargo = find("cargo")
    homes = {"CARGO_HOME": ".cargo", "RUSTUP_HOME": ".rustup"}
    env = {name: os.environ.get(name, os.path.expanduser(f"~/{folder}")) for name, folder in homes.items()}
    env["RUST_TEST_THREADS"] = "4"

    def work(stage):
        (stage.folder / "src").mkdir()
        (stage.folder / "Cargo.toml").write_text(MANIFEST)
        (stage.folder / "src" / "main.rs").write_text(RUST)
        (stage.folder / "src" / "tree.rs").write_text(RUST_TREE)
        for command in (["build"], ["build", "--release"], ["test"]):
            stage.good(cargo, *command, "--offline", "--quiet", env=env, timeout=300)
        program = stage.folder / "target" / "release" / "work"
        return stage.good(stage.folder / "target" / "debug" / "work"), stage.good(program)

    # The rustc that is not of Debian has a malloc of its own within it, and a linker beside it.
    same_output(work, version(cargo), by=["cargo", "cc", "work"], own=["rustc"])
