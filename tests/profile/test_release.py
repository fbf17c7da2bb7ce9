"""Nothing of the profile library is in the one that users get."""

import re

MARK = re.compile(
    r"^(samples_\w+|sample_(allocate\w*|big|resize_large|freed)|sampler_\w+|sampled_\w+|call_stacks?_\w+|call_walk|frames?_(chain|hash)\w*|poisson_\w+|recording_\w+"
    r"|occasions_\w+|unwinder_\w+|os_page_is_\w+|heap_new_reserved|registry_enroll_reserved)$"
)
WORDS = (b"HAKMEM_PROFILE_", b"otel_memory", b"libgcc_s", b".profile")


def names(library, plain, tool):
    done = plain([tool("nm"), library])
    assert done.code == 0, done
    return {line.split()[-1] for line in done.out.splitlines()}


def test_no_symbol_no_word_and_no_probe(library, profile_library, plain, tool):
    if "debug" not in str(library):  # there functions that nobody calls may stay
        assert not [name for name in names(library, plain, tool) if MARK.match(name)]
    assert len([name for name in names(profile_library, plain, tool) if MARK.match(name)]) > 20
    content = library.read_bytes()
    assert not [word for word in WORDS if word in content]
    assert all(word in profile_library.read_bytes() for word in WORDS)
    assert "stapsdt" not in plain([tool("readelf"), "-n", library]).out
