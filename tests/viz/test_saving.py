import pytest

from sureshot.errors import Conflict, InvalidInput, SureshotError
from sureshot.viz import backend_for, draw, libraries, save
from sureshot.viz.calibration import Calibration
from tests.viz.reading import Read

PICTURE = Calibration(title="<b>5 $ & 7 $</b>", note="none", success="</script><script>alert(1)</script>", bins=())


@pytest.mark.parametrize(
    ("ending", "head"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF"), (".html", b"<!DOC")]
)
def test_by_the_ending_of_its_name(tmp_path, ending, head):
    to = tmp_path / f"a{ending}"
    assert save(draw(PICTURE, backend_for(to)), to) == to
    assert to.read_bytes().startswith(head)


def test_a_page_needs_nothing_and_shows_text_as_it_is(tmp_path):
    page = save(draw(PICTURE), tmp_path / "a.html").read_text()
    read = Read(page)
    assert read.fetched() == []
    assert read.count("script") == 2  # Plotly's, and the picture
    assert "alert(1)</script>" not in page
    title = page.partition("<title>")[2].partition("</title>")[0]
    assert title == "&lt;b&gt;5 $ &amp; 7 $&lt;/b&gt;"


def test_nothing_is_overwritten_unless_it_is_said(tmp_path):
    to = tmp_path / "a.html"
    to.write_text("mine")
    with pytest.raises(Conflict, match="is there already: name another file, or overwrite it with force=True"):
        save(draw(PICTURE), to, force=False)
    assert to.read_text() == "mine"
    save(draw(PICTURE), to, force=True)
    assert to.read_text() != "mine"


def test_what_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match=r"must end in .html, .pdf, .png, .svg, got 'a.gif'"):
        save(draw(PICTURE), tmp_path / "a.gif")
    with pytest.raises(InvalidInput, match="make it first"):
        save(draw(PICTURE), tmp_path / "nowhere" / "a.html")
    with pytest.raises(InvalidInput, match=r"'a.png' needs a figure of matplotlib"):
        save(draw(PICTURE), tmp_path / "a.png")
    with pytest.raises(InvalidInput, match="a page needs a Plotly figure"):
        save(draw(PICTURE, "matplotlib"), tmp_path / "a.html")
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(InvalidInput, match="is a folder"):
        save(draw(PICTURE), tmp_path / "folder.html")


@pytest.mark.parametrize(("backend", "name"), [("plotly", "plotly"), ("matplotlib", "matplotlib")])
def test_a_library_that_is_missing_says_what_to_install(monkeypatch, backend, name):
    def missing(module):
        raise ModuleNotFoundError(module)

    monkeypatch.setattr(libraries, "import_module", missing)
    with pytest.raises(SureshotError, match=rf"this picture needs {name}: pip install 'sureshot\[plots\]'"):
        draw(PICTURE, backend)
