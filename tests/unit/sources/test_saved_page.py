"""Saved pages: an invented datasheet in the markup of such pages, then pages that are none."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.sources.records import RawFile, ReadResult
from pipelines.sources.saved_page import read

FILE = RawFile("0" * 16, "page.html", "saved_page", "0" * 64, 0)


def chars(*values: str) -> str:
    """A profile's six boxes."""
    boxes = zip(("M", "T", "Sv", "W", "Ld", "OC"), values, strict=True)
    return "".join(
        f'<div class="dsCharWrap"><div class="dsCharName">{name}</div><div class="dsCharFrame"><div class="dsCharValue c">'
        f"{value}</div></div></div>"
        for name, value in boxes
    )


def profile(*values: str, model: str = "", inside: str = "") -> str:
    """A profile with its model's name."""
    name = f'<div class="dsModelName c">{model}</div>' if model else ""
    return (
        f'<div class="dsProfileBaseWrap"><div class="dsProfileWrapLeft"><div class="dsProfileWrap">{chars(*values)}</div>'
        f"{name}</div>{inside}</div>"
    )


def save(value: str, note: str = "") -> str:
    """The invulnerable save."""
    return (
        '<div class="dsInvulWrap"><div class="dsCharInvulText c">INVULNERABLE SAVE</div><div class="dsCharInvul c">'
        f'<div class="dsCharInvulValue c">{value}</div></div>{note}</div>'
    )


def head(kind: str, skill: str) -> str:
    """The title row of a weapon table."""
    cells = "".join(f'<td><div class="ct dsHeader">{name}</div></td>' for name in ("RANGE", "A", skill, "S", "AP", "D"))
    return f'<tr><td class="dsHeader"></td><td><div class="dsHeader">{kind} WEAPONS</div></td>{cells}</tr>'


def weapon(name: str, *cells: str) -> str:
    """A weapon: the name-only row for narrow screens, then the full row."""
    listed = "".join(f'<td><div class="ct">{cell}</div></td>' for cell in cells)
    return (
        f'<tbody class="bkg"><tr class="wTable2_long"><td></td><td>{name}</td></tr>'
        f'<tr><td></td><td class="wTable2_short">{name}</td>{listed}</tr></tbody>'
    )


HIDDEN = "".join(
    f'<span style="display:none;" class="snFl H{n}"><span class="kwb">MOSS</span> <span class="kwb">FOLK</span></span>'
    for n in range(3)
)
OTHER = "".join(f'<span style="display:none;" class="snFl H{n}">CLAN {n}</span>' for n in range(3))
PROFILES = profile('6"', "5", "3+", "4", "6+", "1")
GUN = "Moss gun – wet <span class='kwb2'>[<span>rapid</span> <span>fire</span> 1, heavy]</span>"
WEAPONS = (
    '<table class="wTable"><tbody>'
    + head("RANGED", "BS")
    + "</tbody>"
    + weapon(GUN, '24"', "D6", "3+", "4", "-1", "1")
    + weapon("➤ Moss gun – dry", '24"', "2", "N/A", "4", "0", "D3+1")
    + "<tbody>"
    + head("MELEE", "WS")
    + "</tbody>"
    + weapon("Crab claw", "Melee", "3", "2+", "5", "-2", "2")
    + "</table>"
)
LEFT = (
    WEAPONS
    + '<div class="dsAbility"><b>Wet:</b> Drip.</div><div class="dsHeader">WARGEAR OPTIONS</div>'
    + "<ul><li>This model’s moss gun can be replaced with one of the following:<ul><li>1 horn and 1 bell</li>"
    + "<li>1 bell*</li></ul></li><li>* Once only.</li></ul>"
)
RIGHT = (
    '<div class="dsHeader">ABILITIES</div><div class="dsAbility">CORE: <b>Feel No Pain 5+</b>, <b>Deadly Demise D3 (Snail '
    'model only)</b></div><div class="dsAbility">FACTION: <b>Tides</b></div><div class="dsAbility"><b>Moss Cloak:</b> While '
    f"{HIDDEN} units hide:<ul><li>well</li></ul><b>Damp (Aura):</b> Drip near {OTHER}.<div class='dsLineHor'></div>"
    '<b>Slow:</b> Wait.</div><div class="dsHeader">WARGEAR ABILITIES</div><div class="dsAbility"><b>Bell:</b> Ring.</div>'
    '<div class="dsHeader">DAMAGED: 1-2 WOUNDS REMAINING</div><div class="dsAbility">Limp.</div>'
    '<div class="dsHeader">SHELL WALL</div><div class="dsAbility">Stand.</div>'
    '<div class="dsHeader">UNIT COMPOSITION</div><div class="dsAbility"><ul><li><b>1 Cave Warden</b></li><li>2‑4 Snails</li>'
    "</ul><b>Every model is equipped with:</b> moss gun; 2 crab claws.<br>Keep it dry.</div>"
    '<div class="dsAbility"><table><tr><td>3 models</td><td><div class="PriceTag">80</div></td></tr>'
    '<tr><td>1 Cave Warden and 4 Snails</td><td><div class="PriceTag">95</div></td></tr>'
    '<tr><td>Bell</td><td><div class="PriceTag">+5</div></td></tr></table></div>'
)
KEYWORDS = (
    '<div class="ds2colKW c"><div class="dsLeftСolKW">KEYWORDS: <span class="kwb">INFANTRY</span>, <span>CAVE WARDEN</span> '
    '| SNAIL ONLY: <span>SLOW</span></div><div class="dsRightСolKW">FACTION KEYWORDS:<br><span>HERMITS</span></div></div>'
)
LISTS = (
    '<div class="ds2col"><div class="dsLeftСol"><div class="dsHeader">STRATAGEMS</div><div class="dsAbility_noLine">'
    '<div class="s10Wrap"><div class="s10Name">HIDE</div><div>1CP</div><div class="s10Type">Core – Battle Tactic</div>'
    '<div class="s10Core">C</div></div><div class="s10Wrap"><div>2CP</div></div></div></div><div class="dsRightСol">'
    '<div class="dsHeader">LEADER</div><div class="dsAbility">This model can be attached to the following units:<ul>'
    "<li>Shell Guard</li><li>Shell Guard</li></ul>Even twice.</div>"
    '<div><div class="dsHeader">LED BY</div><div class="dsAbility">This unit can be led by the following units:<ul>'
    '<li>Moss King</li></ul></div></div><div><div class="dsHeader">DETACHMENT ABILITY</div><div class="dsAbility">'
    '<div class="s10EnhWrap"><div><span data-tooltip-content="#t5">Salt</span></div></div></div></div>'
    '<div><div class="dsHeader">ENHANCEMENTS</div><div class="dsAbility"><div class="s10EnhWrap"><div>Pearl</div>'
    "<div>15</div></div></div></div></div></div>"
)


def tip(number: int, content: str) -> str:
    """A hidden text."""
    return f'<div class="tooltip_templates"><span id="t{number}">{content}</span></div>'


def titled(title: str, address: str, body: str) -> str:
    """A hidden rule with its title and its address."""
    return f'<div class="tooltip_header">{title}</div><a href="{address}"><div class="tooltip_link"></div></a>{body}'


STRATAGEM = (
    '<div class="str10Wrap"><div class="str10Name">HIDE</div><div class="str10CP">1CP</div><div class="str10Type">{type}</div>'
    '<div class="str10Legend ShowFluff">Hush.</div><div class="str10Text"><b>WHEN:</b> Now.<br><br><b>TARGET:</b> One '
    "unit.<br><b>EFFECT:</b> Hide.<br><b>RESTRICTIONS:</b> Once.</div></div>"
)
TIPS = "".join(
    (
        tip(1, STRATAGEM.format(type="Core – Battle Tactic Stratagem")),
        tip(2, STRATAGEM.format(type="Low Tide – Epic Deed Stratagem")),
        tip(
            3,
            titled(
                "2. Soak",
                "/x/the-rules/core-rules/#2.-Soak",
                "<p class='ShowFluff'>Wet.</p>Get wet.<ul><li>All</li></ul>",
            ),
        ),
        tip(
            4,
            titled(
                "Tides",
                "/x/factions/hermits/#Tides",
                "Select a tide:<table><tr><td><p class='impact18'>Ebb</p><p class='ShowFluff legend2'>Low.</p><p>Add 1.</p>"
                "</td></tr></table>",
            ),
        ),
        tip(5, titled("Salt", "/x/factions/hermits/#Salt", '<div class="detachName">Low Tide Detachment</div>Salty.')),
        tip(
            6,
            '<ul class="EnhancementsPts"><li><span>Pearl</span><span><a href="#"></a></span><span>15 pts</span></li></ul>'
            '<div class="detachName">Low Tide Detachment</div><p>HERMITS model only. Shine.</p>',
        ),
        tip(7, '<div class="abWrap"><div class="abFlex"><div class="abName">DEEP SOAK</div></div>Sink.</div>'),
        tip(8, "<p>The <a>MOSS</a> keyword is used in the following datasheets: a, b</p>"),
        tip(9, titled("Faction Rules", "/x/factions/hermits", "Menu")),
        tip(10, "Disable this."),
        tip(11, STRATAGEM.format(type="Core – Battle Tactic Stratagem")),
        tip(12, titled("Hollow", "/x/the-rules/#Hollow", "")),
        tip(13, '<div class="str10Wrap"><div class="str10Name">TORN</div></div>'),
        tip(14, '<ul class="EnhancementsPts"><li><span>Grit</span></li></ul>'),
    )
)


def page(profiles: str = PROFILES + save("4+"), left: str = LEFT, right: str = RIGHT, tips: str = TIPS) -> str:
    """A whole page."""
    return (
        "<!DOCTYPE html><html><head><title>Cave Warden</title><link rel='canonical' "
        "href='https://example.org/wh40k10ed/factions/hermits/Cave-Warden'/><script>var x = '<div class=\"dsHeader\">';</script>"
        '</head><body><h1 class="page_header2"><span class="page_header_span2">Hermits</span><span class="page_header_span2"> '
        '– Cave Warden</span></h1><div class="dsOuterFrame datasheet"><img class="logo3" title="Codex. Hermits (10th edition, '
        'version 1.3)"><div class="dsH2Header"><div>Cave Warden</div><span>(⌀40mm)</span></div>'
        f'{profiles}<div class="ds2col"><div class="dsLeftСol">{left}</div><div class="dsRightСol">{right}</div></div>'
        f"{KEYWORDS}{LISTS}</div>{tips}</body></html>"
    )


def read_page(text: str) -> ReadResult:
    """Read a page."""
    return read(text.encode(), FILE)


def rows(result: ReadResult, table: str, *columns: str) -> list[tuple[object, ...]]:
    """Some columns of a source table."""
    return [tuple(row[column] for column in columns) for row in result.rows(table)]


@pytest.fixture(scope="module")
def result() -> ReadResult:
    """The invented page as read."""
    return read_page(page())


def test_page_and_datasheet(result: ReadResult) -> None:
    assert (result.title, result.faction, result.edition) == ("Hermits – Cave Warden", "Hermits", "10")
    columns = ("sheet", "name", "faction", "book", "name_is_inferred", "source_key")
    address = "/wh40k10ed/factions/hermits/Cave-Warden"
    assert rows(result, "datasheet", *columns) == [("cave-warden", "Cave Warden", "Hermits", "Hermits", False, address)]
    assert all(row["line_no"] == 1 for rows_ in result.tables.values() for row in rows_)


def test_profile(result: ReadResult) -> None:
    columns = ("profile", "movement_in", "toughness", "save", "invulnerable_save", "invulnerable_versus", "wounds")
    assert rows(result, "model_profile", *columns, "leadership", "objective_control", "feel_no_pain") == [
        ("Cave Warden", 6, 5, 3, 4, "any", 4, 6, 1, 5)
    ]


def test_weapons(result: ReadResult) -> None:
    columns = ("weapon", "profile", "attack_type", "range_in", "attacks", "skill", "strength", "armour_penetration")
    assert rows(result, "weapon_profile", *columns, "damage") == [
        ("Moss gun", "wet", "ranged", 24, "D6", 3, "4", -1, "1"),
        ("Moss gun", "dry", "ranged", 24, "2", None, "4", 0, "D3+1"),
        ("Crab claw", None, "melee", None, "3", 2, "5", -2, "2"),
    ]
    gun = next(result.rows("weapon_profile"))
    assert [(keyword["keyword"], keyword["value"]) for keyword in gun["keywords"]] == [
        ("rapid fire", "1"),
        ("heavy", None),
    ]


def test_abilities_and_keywords_hidden_by_the_page_s_filter(result: ReadResult) -> None:
    assert rows(result, "ability", "kind", "name", "value", "text", "model") == [
        ("core", "Feel No Pain", "5+", None, None),
        ("core", "Deadly Demise", "D3", None, "Snail"),
        ("faction", "Tides", None, None, None),
        ("datasheet", "Moss Cloak", None, "While MOSS FOLK units hide:\n- well", None),
        ("datasheet", "Damp (Aura)", None, "Drip near .", None),
        ("datasheet", "Slow", None, "Wait.", None),
        ("wargear", "Bell", None, "Ring.", None),
        ("damaged", "Damaged: 1-2 Wounds Remaining", "1-2", "Limp.", None),
        ("special", "SHELL WALL", None, "Stand.", None),
        ("special", "Unit Note", None, "Keep it dry.", None),
        ("special", "Leader", None, "Even twice.", None),
        ("weapon", "Wet", None, "Drip.", None),
    ]


def test_composition_options_prices_keywords(result: ReadResult) -> None:
    assert rows(result, "composition", "model", "min_models", "max_models") == [("Cave Warden", 1, 1), ("Snails", 2, 4)]
    assert rows(result, "equipment", "item", "n") == [("moss gun", 1), ("crab claw", 2)]
    assert rows(result, "wargear_option", "replaces", "choices") == [
        (["moss gun"], [[{"item": "horn", "n": 1}, {"item": "bell", "n": 1}], [{"item": "bell", "n": 1}]])
    ]
    assert next(result.rows("wargear_option"))["text"].endswith(":\n* Once only.")
    assert rows(result, "unit_cost", "models", "points", "condition") == [
        (3, 80, None),
        (5, 95, "1 Cave Warden and 4 Snails"),
        (None, 5, "add-on: Bell"),
    ]
    assert rows(result, "keyword", "keyword", "is_faction", "model") == [
        ("INFANTRY", False, None),
        ("CAVE WARDEN", False, None),
        ("SLOW", False, "SNAIL"),
        ("HERMITS", True, None),
    ]


def test_lists(result: ReadResult) -> None:
    assert rows(result, "datasheet_stratagem", "name", "detachment", "type", "cp") == [
        ("HIDE", "Core", "Battle Tactic", 1)
    ]
    assert rows(result, "leader", "leader", "bodyguard") == [
        ("cave-warden", "Shell Guard"),
        ("Moss King", "cave-warden"),
    ]
    assert rows(result, "datasheet_detachment_rule", "name", "detachment") == [("Salt", "Low Tide")]
    assert rows(result, "datasheet_enhancement", "name", "detachment") == [("Pearl", None)]


def test_rules_of_the_tooltips(result: ReadResult) -> None:
    columns = (
        "name",
        "detachment",
        "faction",
        "type",
        "cp",
        "when_text",
        "effect_text",
        "restrictions_text",
        "flavour",
    )
    assert rows(result, "stratagem", *columns) == [
        ("HIDE", "Core", None, "Battle Tactic", 1, "Now.", "Hide.", "Once.", "Hush."),
        ("HIDE", "Low Tide", "Hermits", "Epic Deed", 1, "Now.", "Hide.", "Once.", "Hush."),
    ]
    assert rows(result, "rule", "name", "text", "flavour") == [
        ("2. Soak", "Get wet.\n- All", "Wet."),
        ("Deep Soak", "Sink.", None),
    ]
    assert rows(result, "army_rule", "name", "parent", "text", "flavour") == [
        ("Tides", None, "Select a tide:", None),
        ("Ebb", "Tides", "Add 1.", "Low."),
    ]
    assert rows(result, "detachment_rule", "name", "detachment", "text") == [("Salt", "Low Tide", "Salty.")]
    assert rows(result, "enhancement", "name", "detachment", "points", "requires") == [
        ("Pearl", "Low Tide", 15, ["HERMITS"])
    ]
    assert sorted(reject.reason for reject in result.rejects) == [
        "a listed stratagem needs a name and a type",
        "a stratagem needs a name, a detachment, a cost and an EFFECT",
        "an enhancement needs a name, a price and a text",
        "the rule Hollow has no text",
    ]
    assert any(notice.startswith("1 lists of where a keyword is used") for notice in result.notices)


# --- variants and damage ----------------------------------------------------------------------------------------------


def saves(profiles: str, right: str = RIGHT) -> list[tuple[object, ...]]:
    """Profiles with their saves."""
    columns = ("profile", "invulnerable_save", "invulnerable_versus")
    return rows(read_page(page(profiles, right=right)), "model_profile", *columns)


VALUES = ('6"', "5", "3+", "4", "6+", "1")


def test_saves_of_several_profiles() -> None:
    king, snail = profile(*VALUES, model="KING"), profile(*VALUES, model="SNAIL")
    assert saves(king + snail) == [("KING", None, None), ("SNAIL", None, None)]
    assert saves(king + save("4+") + snail + save("6+")) == [("KING", 4, "any"), ("SNAIL", 6, "any")]
    assert saves(king + snail + save("4+")) == [("KING", 4, "any"), ("SNAIL", 4, "any")]
    assert saves(king + save("4+") + snail) == [("KING", 4, "any"), ("SNAIL", None, None)]
    assert saves(king + snail + save("5+*", "* King model only.")) == [("KING", 5, "any"), ("SNAIL", None, None)]
    inside = profile(*VALUES, model="SNAIL", inside=save("5+"))
    assert saves(king + inside) == [("KING", None, None), ("SNAIL", 5, "any")]


def test_starred_saves_need_their_note() -> None:
    assert saves(PROFILES + save("5+", "<div>* against ranged attacks only</div>")) == [("Cave Warden", 5, "ranged")]
    below = RIGHT + '<div class="dsHeader">NOTE</div><div class="dsAbility">* Against melee attacks only</div>'
    assert saves(PROFILES + save("5+*"), below) == [("Cave Warden", 5, "melee")]
    result = read_page(page(PROFILES + save("5+*")))
    assert not result.tables.get("model_profile")
    assert "no note that explains it" in result.rejects[0].reason or any("no note" in r.reason for r in result.rejects)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (weapon("Odd gun", '24"', "D3+", "3+", "4", "0", "1"), "is no dice"),
        (weapon("Odd gun", '24"', "1", "3+", "4", "1", "1"), "with its minus"),
        (weapon("Odd gun", "Melee", "1", "3+", "4", "0", "1"), "does not fit"),
        (weapon("Odd gun", '24"', "1", "3+", "4"), "too few cells"),
        (weapon("Odd gun", '24"', "1", "3+", "4", "0", "1", "9"), "column titles"),
        (weapon("Odd gun", '24"', "", "3+", "4", "0", "1"), "too few cells"),
    ],
)
def test_weapon_rows_that_are_refused(row: str, words: str) -> None:
    table = f'<table class="wTable"><tbody>{head("RANGED", "BS")}</tbody>{row}</table>'
    result = read_page(page(left=table))
    assert not result.tables.get("weapon_profile")
    assert any(words in reject.reason for reject in result.rejects)


def test_a_weapon_printed_twice() -> None:
    good = weapon("Moss gun", '24"', "1", "3+", "4", "0", "1")
    other = weapon("Moss gun", '24"', "2", "3+", "4", "0", "1")
    table = f'<table class="wTable"><tbody>{head("RANGED", "BS")}</tbody>{good}{good}{other}</table>'
    result = read_page(page(left=table))
    assert [row["attacks"] for row in result.rows("weapon_profile")] == ["1", "2"]
    assert any("another set of values" in notice for notice in result.notices)


def test_a_profile_without_a_box() -> None:
    result = read_page(page(PROFILES.replace('dsCharName">T<', 'dsCharName">Q<')))
    assert any(reject.reason == "the profile lacks T" for reject in result.rejects)


def test_several_sheets_on_one_page() -> None:
    text = page(tips="")
    frame = text[text.index('<div class="dsOuterFrame') : text.index("</body>")]
    result = read_page(text.replace("</body>", frame + "</body>"))
    assert [row["sheet"] for row in result.rows("datasheet")] == ["cave-warden", "cave-warden-2"]
    assert len(list(result.rows("weapon_profile"))) == 6


def test_another_edition_is_said() -> None:
    assert read_page(page().replace("wh40k10ed", "wh40k9ed")).edition == "9"


@pytest.mark.parametrize(
    "text",
    [
        "<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>",
        "<html><head><title>Just a moment...</title></head><body>Checking your browser</body></html>",
        "<html><body><h1>502 Bad Gateway</h1><hr>server</body></html>",
        "<html><head><title>Access denied</title></head><body>x</body></html>",
        "<html></html>",
    ],
)
def test_error_pages(text: str) -> None:
    result = read_page(text)
    assert not result.tables
    assert len(result.rejects) == 1 and "a saved error page" in result.rejects[0].reason
    assert result.notices[0].startswith("a saved error page")


def test_a_page_without_a_datasheet() -> None:
    text = "<html><head><title>Hermits</title></head><body><h1>Hermits</h1><p>They live in caves.</p></body></html>"
    result = read_page(text)
    assert result.notices == ["no datasheet on this page"] and not result.rejects


@pytest.mark.parametrize("data", [b"", b"plain words", b"\x00\x01<\x02\x00"])
def test_no_html(data: bytes) -> None:
    result = read(data, FILE)
    assert not result.tables and len(result.rejects) == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings(encoding: str) -> None:
    result = read(page().encode(encoding), FILE)
    assert [row["name"] for row in result.rows("datasheet")] == ["Cave Warden"]


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 12000), st.integers(0, 400), st.text(alphabet=st.sampled_from(list('<>/"= abW5+*\n')), max_size=8)
)
def test_no_damage_raises(start: int, length: int, inserted: str) -> None:
    text = page()
    start %= len(text)
    result = read_page(text[:start] + inserted + text[start + length :])
    for row in result.rows("weapon_profile"):
        assert row["attack_type"] in ("ranged", "melee") and row["armour_penetration"] <= 0
