"""The newest crate of a name, and what its build script leaves."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from hakmem_lab.peers.steps import BuildError, Steps

# The newest that this compiler can build, where cargo is able to choose so.
ENVIRONMENT = {"CARGO_RESOLVER_INCOMPATIBLE_RUST_VERSIONS": "fallback", "CARGO_TERM_COLOR": "never"}

_MANIFEST = """\
[package]
name = "hakmem-peer"
version = "0.0.0"
edition = "2021"
publish = false

[lib]
path = "lib.rs"

[dependencies]
{crate} = {{ version = "*", features = {features} }}

[profile.release]
opt-level = 3

[workspace]
"""


@dataclass(frozen=True)
class Crate:
    name: str
    version: str
    folder: Path  # its sources

    def upstream(self) -> str:
        """The part of the version after the +, which names what the crate carries."""
        return self.version.partition("+")[2]


def newest(name: str, features: tuple[str, ...], steps: Steps) -> Crate:
    """Makes a project that depends on the crate, and fetches the newest version, or the newest that is here already."""
    manifest = _MANIFEST.format(crate=name, features=json.dumps(list(features)))
    (steps.folder / "Cargo.toml").write_text(manifest, encoding="utf-8")
    (steps.folder / "lib.rs").touch()
    question = ("cargo", "metadata", "--format-version=1")
    answer = steps.attempt(*question)
    if answer is None:
        answer = steps.run(*question, "--offline")
    found = [package for package in json.loads(answer)["packages"] if package["name"] == name]
    return Crate(name, found[0]["version"], Path(found[0]["manifest_path"]).parent)


def static_library(crate: Crate, steps: Steps) -> Path:
    """Builds the project; the one archive that the crate's build script left."""
    messages = steps.run("cargo", "build", "--release", "--locked", "--message-format=json").splitlines()
    for message in map(json.loads, messages):
        if message["reason"] == "build-script-executed" and _is_of(crate, message["package_id"]):
            archives = list(Path(message["out_dir"]).rglob("*.a"))
            if len(archives) == 1:
                return archives[0]
            raise BuildError(f"the build script of {crate.name} left {len(archives)} static libraries instead of one")
    raise BuildError(f"{crate.name} {crate.version} has no build script")


def _is_of(crate: Crate, package_id: str) -> bool:
    """Cargo has written these identities in two ways: `name version (source)` and `source#name@version`."""
    return package_id.startswith(f"{crate.name} ") or f"#{crate.name}@" in package_id
