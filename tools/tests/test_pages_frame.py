"""The scripts of a page: bundled once for all pages of a checkout."""

import pytest
import vl_convert

from hakmem_pages import frame


@pytest.fixture
def bundled(monkeypatch, tmp_path):
    """Calls of the bundler so far; what it made is kept in a folder of the test's own, and not in the process."""
    calls = []

    def bundle():
        calls.append(1)
        return "vega</script><!--"

    monkeypatch.setattr(vl_convert, "javascript_bundle", bundle)
    monkeypatch.setattr(frame, "_BUILD", tmp_path / "build")
    monkeypatch.setattr(frame, "_vega", frame._vega.__wrapped__)
    return calls


def test_the_next_page_finds_what_the_first_has_bundled(bundled, tmp_path):
    first = frame._vega()
    assert first == r"vega<\/script><\!--"
    assert frame._vega() == first
    assert len(bundled) == 1
    assert [path.name for path in (tmp_path / "build").iterdir()] == [f"vega-{vl_convert.__version__}.js"]


def test_another_version_of_the_bundler_is_asked_anew(bundled, monkeypatch):
    frame._vega()
    monkeypatch.setattr(vl_convert, "__version__", "0.0")
    frame._vega()
    assert len(bundled) == 2


def test_a_page_needs_no_folder_to_keep_them_in(bundled, tmp_path):
    (tmp_path / "build").write_text("a file, where the folder would be")
    assert frame._vega() == frame._vega()
    assert len(bundled) == 2
