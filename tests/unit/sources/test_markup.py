"""HTML cells become the lines that a reader of the page would see."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.sources.markup import element_text, flavour_text, html_to_text, is_hidden, parse_fragment

CASES = [
    ("", ""),
    ("Plain  words", "Plain words"),
    ("one<br>two<br><br>three", "one\ntwo\nthree"),
    ("<p>one</p><p>two</p>", "one\ntwo"),
    ("Pick:<ul><li>first</li><li>second <b>bold</b></li></ul>after", "Pick:\n- first\n- second bold\nafter"),
    ("<ul><li>outer<ul><li>inner</li></ul></li></ul>", "- outer\n- inner"),
    ("<ul><li></li><li>kept</li></ul>", "- kept"),
    (
        '<span class="kwb">IRON</span> <span class="kwb kwbu">HERMITS</span> models have <span class="kwb2">'
        '<a href="#x">[LETHAL</a> HITS]</span>',
        "IRON HERMITS models have [LETHAL HITS]",
    ),
    ("the hermit’s post‑box", "the hermit's post-box"),
    ("a &lt; b &amp; c&nbsp;d", "a < b & c d"),
    ("<i>line</i>\r\n  wrapped", "line wrapped"),
    ("plain\r\n  lines", "plain\nlines"),
    ("<b>Unclosed <i>tags</b> here</div> and there", "Unclosed tags here\nand there"),
    ("shown<span style='display: none'>never shown</span>", "shown"),
    ("shown<div class='tooltip_templates'><span>never shown</span></div>", "shown"),
    ("shown<script>never()</script><!-- nor this -->", "shown"),
    ('A<p class="ShowFluff legend2">Moss grows.</p><p>B</p>', "A\nB"),
    (
        "<table><tr><td>Size</td><td>2 units</td></tr><tr><td>Big</td><td>3 units</td></tr></table>",
        "Size | 2 units\nBig | 3 units",
    ),
    ("<table><tr><td><p>Stance</p><p>Add 1.</p></td><td></td></tr></table>", "Stance\nAdd 1."),
    ("<table><tr><td><p>Stance</p><p>Add 1.</p></td><td><p>B</p></td></tr></table>", "Stance\nAdd 1.\nB"),
    ('roll <img src="/img/d5.png"> <img src="/img/d6.png">', "roll 5 6"),
    ('<img src="/img/x.png" alt="skull"> token', "skull token"),
    ('&lt;SPAN CLASS="KWB"&gt;HERMIT&lt;/SPAN&gt; model only', "HERMIT model only"),
    ("attaches to its <", "attaches to its <"),
]


@pytest.mark.parametrize(("html", "text"), CASES)
def test_visible_text(html: str, text: str) -> None:
    assert html_to_text(html) == text


def test_flavour_is_kept_apart() -> None:
    html = 'Rule.<p class="ShowFluff legend">Moss  grows.</p><p class="ShowFluff legend2">Stones wait.</p>'
    assert flavour_text(html) == "Moss grows.\nStones wait."
    assert flavour_text("<p>Rule.</p>") is None
    assert html_to_text(html) == "Rule."


def test_part_of_a_document() -> None:
    document = parse_fragment('<p id="a">x <b>y</b></p><p id="b" style="visibility:hidden">z</p>')
    first, second = document.iter("p")
    assert element_text(first) == "x y"
    assert is_hidden(second) and not is_hidden(first)


@given(st.text(alphabet=st.sampled_from(list("<>/&;=\"' abpliul#\x00\x0b\ud800\n|")), max_size=60))
def test_any_cell_is_read(html: str) -> None:
    text = html_to_text(html)
    assert all(line.strip() == line and line for line in text.split("\n")) or text == ""


@given(
    st.lists(
        st.text(alphabet="abc XYZ'-1", min_size=1).map(str.strip).filter(bool).filter(lambda s: s != "-"), max_size=5
    )
)
def test_markup_loses_no_word(words: list[str]) -> None:
    html = "".join(f"<li><b>{word}</b></li>" for word in words)
    shown = [line.removeprefix("- ") for line in html_to_text(f"<ul>{html}</ul>").split("\n")] if words else []
    assert shown == [" ".join(word.split()) for word in words]
