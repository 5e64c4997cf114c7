"""A small raw folder of invented units, in the formats of real ones, with every hard case that pages must survive.

Belongs here: the bytes. Does not belong here: what pages make of them (the tests beside this file).
"""

import shutil
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]

HOSTILE = "</script><img src=x onerror=alert(1)>"
QUOTED = 'Ol\' "Quoted" & Sons v1.5 [Prime]'
LONGEST = "Most Reverend Keeper of the Seven Hundred and Seventy-seven Unextinguishable Lanterns of the Lower Stair"
ACCENTED = "Émile’s Phantôms"
TWIN = "Ember Guard"
NO_POINTS = "Pauper Walkers"
MELEE_ONLY = "Blade Dancers"
UNARMED = "Silent Shrine"
FACELESS = "Nameless Shades"  # no characteristics
MIXED = "Warden and Hounds"  # several characteristics lines
PROFILE_ONLY = "Lone Sentinel"
PARTIAL = "Riddle Engine"  # one rule that no compiler reads
BIG = "Thousand Feet"  # twenty models

_TABLES = {
    "Factions": ["id|name|link|", "EM|Ember Court|x|", "RV|River Folk|x|"],
    "Source": [
        "id|name|type|edition|version|errata_date|errata_link|",
        "01|Ember Court|Codex|10|1.1|05.03.2025 0:00:00||",
        "02|River Folk|Codex|10|1.0|01.02.2025 0:00:00||",
        "03|Ember Court (Warhammer Legends)|Datasheet|10||01.01.0001 0:00:00||",
    ],
    "Last_update": ["last_update|", "2025-11-02 08:15:00|"],
    "Detachments": ["id|faction_id|name|legend|type|", "0201|EM|Lantern Watch|||"],
    "Detachment_abilities": ["id|faction_id|name|legend|description|detachment|detachment_id|"],
    "Abilities": ["id|name|legend|faction_id|description|"],
    "Datasheets_leader": ["leader_id|attached_id|"],
    "Datasheets_enhancements": ["datasheet_id|enhancement_id|"],
    "Datasheets_detachment_abilities": ["datasheet_id|detachment_ability_id|"],
    "Enhancements": ["faction_id|id|name|cost|detachment|detachment_id|legend|description|"],
    "Stratagems": [
        "faction_id|name|id|type|cp_cost|legend|turn|phase|detachment|detachment_id|description|",
        "EM|BRIGHTER STILL|0501|Lantern Watch – Battle Tactic Stratagem|1||Your turn|Shooting phase|Lantern Watch|0201|"
        "<b>WHEN:</b> Your Shooting phase.<br><br><b>TARGET:</b> One <span class='kwb'>EMBER</span> "
        "<span class='kwb'>COURT</span> unit of yours that has not shot this phase.<br><br><b>EFFECT:</b> Until the "
        "end of the phase, add 1 to the Strength characteristic of ranged weapons of models in your unit.|",
    ],
    "Datasheets_stratagems": ["datasheet_id|stratagem_id|", "001|0501|"],
}

_SHEETS = (
    # id, name as the export writes it, faction, book, role, loadout, sizes, composition, characteristics, weapons
    (
        "001",
        TWIN,
        "EM",
        "01",
        "Battleline",
        "ember gun; knife",
        "5 models=80;10 models=150",
        "5-10 Ember Guard",
        "4|3+",
        "gun knife",
    ),
    ("002", HOSTILE, "EM", "01", "Other", "ember gun; knife", "1 model=50", "1 Visitor", "4|3+", "gun knife"),
    ("003", QUOTED, "EM", "01", "Other", "great gun; knife", "1 model=95", "1 Seller", "9|3+", "cannon knife"),
    ("004", NO_POINTS, "EM", "01", "Other", "ember gun; knife", "", "5 Walkers", "3|5+", "gun knife"),
    ("005", MELEE_ONLY, "EM", "01", "Other", "long blade", "5 models=75", "5 Dancers", "3|6+", "blade"),
    ("006", UNARMED, "EM", "01", "Fortifications", "nothing", "1 model=60", "1 Shrine", "10|3+", ""),
    ("007", LONGEST, "EM", "01", "Characters", "great gun; knife", "1 model=70", "1 Keeper", "4|3+", "cannon knife"),
    ("008", ACCENTED, "EM", "01", "Other", "ember gun; knife", "5 models=65", "5 Phantoms", "4|4+", "gun knife"),
    ("009", FACELESS, "EM", "01", "Other", "ember gun; knife", "5 models=60", "5 Shades", "", "gun knife"),
    ("010", MIXED, "EM", "01", "Other", "ember gun; knife", "4 models=90", "1 Warden;3 Hounds", "5|3+", "gun knife"),
    ("011", PARTIAL, "EM", "01", "Other", "great gun; knife", "1 model=120", "1 Engine", "10|2+", "cannon knife"),
    ("012", BIG, "EM", "01", "Other", "ember gun; knife", "20 models=140", "20 Feet", "3|6+", "gun knife"),
    ("013", TWIN, "RV", "02", "Battleline", "ember gun; knife", "5 models=70", "5 Ember Guard", "4|4+", "gun knife"),
    ("014", TWIN, "EM", "03", "Battleline", "ember gun; knife", "5 models=85", "5 Ember Guard", "4|3+", "gun knife"),
)

_WEAPONS = {
    "gun": ("Ember gun", "rapid fire 1", "24", "Ranged", "2|3|4|-1|1"),
    "cannon": ("Great gun", "blast", "48", "Ranged", "D6|3|10|-3|D6"),
    "knife": ("Knife", "", "Melee", "Melee", "2|4|4|0|1"),
    "blade": ("Long blade", "sustained hits 1", "Melee", "Melee", "4|3|5|-2|2"),
}

_LISTS = {
    "3.7": ((5, 75), (10, 140)),
    "4.0": ((5, 80), (10, 150)),
}


def _export() -> dict[str, list[str]]:
    tables = {name: list(lines) for name, lines in _TABLES.items()}
    for name, head in (
        (
            "Datasheets",
            "id|name|faction_id|source_id|legend|role|loadout|transport|virtual|leader_head|leader_footer|damaged_w|damaged_description|link|",
        ),
        ("Datasheets_models", "datasheet_id|line|name|M|T|Sv|inv_sv|inv_sv_descr|W|Ld|OC|base_size|base_size_descr|"),
        ("Datasheets_models_cost", "datasheet_id|line|description|cost|"),
        ("Datasheets_unit_composition", "datasheet_id|line|description|"),
        ("Datasheets_wargear", "datasheet_id|line|line_in_wargear|dice|name|description|range|type|A|BS_WS|S|AP|D|"),
        ("Datasheets_keywords", "datasheet_id|keyword|model|is_faction_keyword|"),
        ("Datasheets_options", "datasheet_id|line|button|description|"),
        ("Datasheets_abilities", "datasheet_id|line|ability_id|model|name|description|type|parameter|"),
    ):
        tables[name] = [head]
    for sheet, name, faction, book, role, loadout, sizes, composition, characteristics, weapons in _SHEETS:
        written = name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        carries = f"<b>Every model is equipped with:</b> {loadout}."
        tables["Datasheets"].append(f"{sheet}|{written}|{faction}|{book}||{role}|{carries}||false|||||x|")
        for line, model in enumerate(composition.split(";"), 1):
            tables["Datasheets_unit_composition"].append(f"{sheet}|{line}|{model}|")
            if characteristics:
                toughness, save = characteristics.split("|")
                wounds = 12 if int(toughness) > 8 else line
                tables["Datasheets_models"].append(
                    f'{sheet}|{line}|{model.split(" ", 1)[1]}|6"|{toughness}|{save}|-||{wounds}|7+|1|32mm||'
                )
        for line, size in enumerate(filter(None, sizes.split(";")), 1):
            models, points = size.split("=")
            tables["Datasheets_models_cost"].append(f"{sheet}|{line}|{models}|{points}|")
        for line, key in enumerate(weapons.split(), 1):
            weapon, keywords, reach, kind, figures = _WEAPONS[key]
            tables["Datasheets_wargear"].append(f"{sheet}|{line}|1||{weapon}|{keywords}|{reach}|{kind}|{figures}|")
        owner = "Ember Court" if faction == "EM" else "River Folk"
        tables["Datasheets_keywords"] += [f"{sheet}|Infantry||false|", f"{sheet}|{owner}||true|"]
    tables["Datasheets_abilities"] += [
        "011|1|||Riddle of the Lamp|Each time this model makes an attack, the lamp answers with a wink, and the Hit roll "
        "is whatever the lamp likes.|Datasheet||",
        "001|1|||Steady Glow|Each time a model in this unit makes a ranged attack, re-roll a Hit roll of 1.|Datasheet||",
    ]
    return tables


def _points_list(version: str, sizes: tuple[tuple[int, int], ...]) -> str:
    rows = "\n".join(f"{models} models {'.' * 50}{points} pts" for models, points in sizes)
    return f"MUNITORUM\nFIELD MANUAL\nVERSION {version}\nEMBER COURT\n{TWIN}\n{rows}\n1\n"


def write(folder: Path) -> Path:
    """Write the raw folder and return it."""
    export = folder / "export"
    export.mkdir(parents=True)
    for name, lines in _export().items():
        (export / f"{name}.csv").write_text("\ufeff" + "\n".join(lines) + "\n", encoding="utf-8")
    for version, sizes in _LISTS.items():
        (folder / f"prices_{version}.txt").write_text(_points_list(version, sizes), encoding="utf-8")
    (folder / "profiles.csv").write_text(
        "book,datasheet,profile,movement_in,toughness,save,invulnerable_save,invulnerable_versus,wounds,leadership,"
        "objective_control,feel_no_pain,models,points,keywords,source\n"
        f"River Folk,{PROFILE_ONLY},{PROFILE_ONLY},6,5,3,,,4,6,1,,1,65,INFANTRY;RIVER FOLK,card\n",
        encoding="utf-8",
    )
    shutil.copy(REPOSITORY / "raw" / "game_datacards" / "wardens_of_korvath.json", folder / "patrol.json")
    return folder
