"""A recipe's library: from the cache, or built into it."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from hakmem_lab.peers import cache, crates, debian
from hakmem_lab.peers.allocator import Allocator, Say
from hakmem_lab.peers.crates import Crate
from hakmem_lab.peers.proof import prove
from hakmem_lab.peers.recipes import BuildScript, OwnBuild, Recipe
from hakmem_lab.peers.steps import BuildError, Steps, jobs


_OLD_DAYS = 60


def built(name: str, recipe: Recipe, say: Say) -> Allocator:
    """The allocator, built now if no earlier call has; BuildError says why it cannot be."""
    kept = _kept(name, recipe, say)
    if kept:
        return kept
    missing = debian.missing_tools(recipe.tools(), say)
    if missing:
        raise BuildError(f"needs {', '.join(missing)} to be built ({debian.install_line(missing)})")
    try:
        with cache.locked(name, say):
            return _kept(name, recipe, say) or _build(name, recipe, say)
    except OSError as error:
        raise BuildError(f"cannot be built in {cache.root()}: {error}") from None


def _kept(name: str, recipe: Recipe, say: Say) -> Allocator | None:
    found = cache.find(name, recipe)
    if found is None:
        return None
    library, entry = found
    days = (time.time() - entry.built) / 86400
    if days > _OLD_DAYS:
        say(f"{name} {entry.version} was built {days:.0f} days ago; remove {library.parent} to have the newest")
    return Allocator(name, library, entry.version, recipe.settings)


def _build(name: str, recipe: Recipe, say: Say) -> Allocator:
    say(f"building {name} from the crate {recipe.crate}, once; takes about {recipe.seconds} s on two idle cores")
    start = time.monotonic()
    log = cache.log_of(name)
    log.unlink(missing_ok=True)
    with cache.workshop(name) as folder:
        steps = Steps(log, folder, crates.ENVIRONMENT)
        crate = crates.newest(recipe.crate, _features(recipe), steps)
        version = recipe.version.read(crate.version, crate.folder)
        library = folder / f"lib{name}.so"
        _make(recipe, crate, steps, library)
        prove(library, recipe, steps)
        entry = cache.Entry(name, version, crate.name, crate.version, library.name, recipe.digest(), time.time())
        place = cache.keep(library, entry)
    seconds = time.monotonic() - start
    say(f"{name} {version} ({crate.name} {crate.version}) built and proved in {seconds:.0f} s; kept in {place.parent}")
    return Allocator(name, place, version, recipe.settings)


def _features(recipe: Recipe) -> tuple[str, ...]:
    return recipe.build.features if isinstance(recipe.build, BuildScript) else ()


def _make(recipe: Recipe, crate: Crate, steps: Steps, library: Path) -> None:
    if isinstance(recipe.build, BuildScript):
        _by_build_script(recipe.build, crate, steps, library)
    else:
        _by_own_build(recipe.build, crate, steps, library)


def _by_build_script(build: BuildScript, crate: Crate, steps: Steps, library: Path) -> None:
    flags = Steps(steps.log, steps.folder, {**steps.environment, **dict(build.environment)})
    steps.run(*build.link(crates.static_library(crate, flags), library))


def _by_own_build(build: OwnBuild, crate: Crate, steps: Steps, library: Path) -> None:
    sources, place = steps.folder / "sources", steps.folder / "build"
    shutil.copytree(crate.folder / build.folder, sources)
    for origin, target in build.extra:
        shutil.copy2(crate.folder / origin, sources / target)
    place.mkdir()
    words = {"sources": sources, "build": place, "jobs": jobs(), "upstream": crate.upstream()}
    inside = Steps(steps.log, place, steps.environment)
    for command in build.commands:
        inside.run(*(word.format(**words) for word in command))
    shutil.copy2(build.library.format(**words), library)
