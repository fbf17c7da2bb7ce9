"""The lines of the observe library reach whoever asked for them, however the program ends."""

import pytest

from stats_lines import human, objects


@pytest.mark.parametrize("command", [["ls", "/"], ["sort", "/dev/null"], ["sh", "-c", ":"]], ids=lambda one: one[0])
def test_common_programs_print_them(observe, tool, command, tmp_path):
    lines = human(observe(tool(command[0]), *command[1:]).err)
    assert "free_path_stats" in [name for name, _ in lines]
    file = tmp_path / "lines"
    assert observe(tool(command[0]), *command[1:], HAKMEM_EXIT_FILE=str(file)).err == ""
    assert [name for name, _ in human(file.read_text())][0] == "process_stats"


def test_an_object_is_one_line_of_the_file(observe, tool, tmp_path):
    file = tmp_path / "objects"
    variables = {"HAKMEM_STATS_FORMAT": "json", "HAKMEM_EXIT_FILE": str(file)}
    assert observe(tool("sh"), "-c", "(:); (:); :", **variables).err == ""
    pids = [one["process_stats"]["pid"] for one in objects(file.read_text())]
    assert len(set(pids)) == 3
