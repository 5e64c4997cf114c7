"""Which rows of different sources speak of the same datasheet."""

from pipelines.core.identity import identify, suggest
from pipelines.core.precedence import Source
from pipelines.sources.records import RawFile, ReadResult


def source(kind: str, path: str, *sheets: dict, dated: str | None = None, faction: str | None = None) -> Source:
    result = ReadResult(dated=dated, faction=faction)
    for sheet in sheets:
        result.add("datasheet", **{"sheet": f"{sheet['name']}/{sheet.get('book', '')}", **sheet})
    file_id = path.encode().hex()[:16].ljust(16, "0")
    return Source(RawFile(file_id, path, kind, file_id * 4, 1), result)  # type: ignore[arg-type]


def ids(*sources: Source, aliases: dict | None = None) -> list[str]:
    return [entity.datasheet_id for entity in identify(sources, aliases or {}).entities]


def test_spellings_meet_without_an_alias():
    one = source("text_dump", "a.txt", {"name": "Myphitic Blight‑Hauler", "faction": "Death Guard"})
    two = source("game_datacards", "b.json", {"name": "myphitic blight-hauler", "faction": "DEATH GUARD"})
    assert ids(one, two) == ["death-guard/myphitic-blight-hauler"]


def test_one_name_in_two_factions_is_two_datasheets():
    one = source("text_dump", "a.txt", {"name": "Rhino", "faction": "Space Marines"})
    two = source("text_dump", "b.txt", {"name": "Rhino", "faction": "Death Guard"})
    assert ids(one, two) == ["death-guard/rhino", "space-marines/rhino"]


def test_a_chapter_belongs_to_its_faction():
    one = source("wahapedia_csv", "csv", {"name": "Wolf Guard", "faction": "Space Marines", "book": "Space Wolves"})
    two = source("game_datacards", "b.json", {"name": "Wolf Guard", "faction": "Space Wolves", "book": "Space Wolves"})
    assert ids(one, two) == ["space-marines/wolf-guard"]


def test_combat_patrol_never_mixes_with_the_full_game():
    patrol = {"name": "Custodian Guard", "faction": "Adeptus Custodes", "book": "The Gilded", "is_combat_patrol": True}
    one = source("game_datacards", "p.json", patrol)
    two = source("game_datacards", "b.json", {"name": "Custodian Guard", "faction": "Adeptus Custodes"})
    assert ids(one, two) == ["adeptus-custodes/custodian-guard", "the-gilded/custodian-guard"]


def test_a_second_sheet_of_a_name_gets_its_book():
    legends = {"name": "Hound", "faction": "Chaos Daemons", "book": "Old Hounds", "is_legends": True}
    current = {"name": "Hound", "faction": "Chaos Daemons", "book": "Chaos Daemons", "is_legends": False}
    export = source("wahapedia_csv", "csv", legends, current)
    card = source("game_datacards", "c.json", {"name": "Hound", "faction": "Chaos Daemons", "book": "Chaos Daemons"})
    found = identify([export, card], {})
    assert [e.datasheet_id for e in found.entities] == ["chaos-daemons/hound", "chaos-daemons/hound--old-hounds"]
    assert len(found.entities[0].members) == 2
    assert found.named("Hound", "chaos-daemons", is_legends=True).datasheet_id == "chaos-daemons/hound--old-hounds"


def test_a_page_repeated_in_one_file_is_one_datasheet():
    sheet = {"name": "Immortals", "faction": "Necrons", "book": "Necrons"}
    dump = source("text_dump", "all.txt", {**sheet, "sheet": "1"}, {**sheet, "sheet": "2"})
    assert ids(dump) == ["necrons/immortals"]


def test_close_names_are_suggested_and_not_taken():
    known = source("game_datacards", "b.json", {"name": "Sword Brethren Squad", "faction": "Space Marines"})
    found = identify([known], {})
    assert found.named("Sword Brethren Squads", "space-marines") is None
    assert suggest("Sword Brethren Squads", "space-marines", found)[0] == "space-marines/sword-brethren-squad"
    assert suggest("Land Raider", "space-marines", found) is None


def test_a_reviewed_alias_is_taken():
    known = source("game_datacards", "b.json", {"name": "Vypers", "faction": "Aeldari"})
    found = identify([known], {("aeldari", "vyper"): "Vypers"})
    assert found.named("Vyper", "aeldari").datasheet_id == "aeldari/vypers"


def test_faction_comes_from_the_keywords_where_the_sheet_has_none():
    page = source("text_dump", "a.txt", {"name": "Legionaries"})
    page.result.add("keyword", sheet="Legionaries/", keyword="HERETIC ASTARTES", is_faction=True)
    assert ids(page) == ["chaos-space-marines/legionaries"]


def test_the_book_of_the_faction_keeps_the_plain_id_whatever_the_file_order():
    def card(path: str, book: str) -> Source:
        return source("game_datacards", path, {"name": "Impulsor", "faction": book, "book": book})

    chapter, own = card("a.json", "Black Templar"), card("b.json", "Space Marines")
    rows = [
        {"name": "Impulsor", "faction": "Space Marines", "book": book} for book in ("Black Templars", "Space Marines")
    ]
    export = source("wahapedia_csv", "csv", *rows)
    found = identify([chapter, own, export], {})
    books = {e.datasheet_id: sorted({m.row["book"] for m in e.members}) for e in found.entities}
    assert books == {
        "space-marines/impulsor": ["Space Marines"],
        "space-marines/impulsor--black-templars": ["Black Templar", "Black Templars"],
    }


def test_names_without_letters_do_not_meet():
    names = ("!!!", "???", "\u0412\u043e\u0438\u043d", "\u041b\u0443\u043a")
    sheets = [source("text_dump", f"{n}.txt", {"name": name, "faction": "Necrons"}) for n, name in enumerate(names)]
    found = ids(*sheets)
    assert len(set(found)) == 4
    assert all(one.startswith("necrons/unnamed") for one in found)


def test_a_name_that_is_too_long_for_a_file_is_cut_and_stays_apart():
    names = ("B" * 300, "B" * 301)
    found = ids(*(source("text_dump", f"{n}.txt", {"name": n, "faction": "Necrons"}) for n in names))
    assert len(set(found)) == 2
    assert all(len(one) < 180 for one in found)
