"""Pages of an invented army in the form of real page dumps, as blocks that tests put together in any order.

Belongs here: text in our own words, with the same faults as saved pages (headings stuck to sentences, lost links, fields
printed twice). Does not belong here: assertions.
"""

import hashlib

from pipelines.sources.records import LineClaim, RawFile, ReadResult, Row
from pipelines.sources.text_dump import read

TITLE = "Tide Wardens – Reef Guard"

RANGED = """RANGED WEAPONS | RANGE | A | BS | S | AP | D | |
| Brine caster – gush [torrent] | |||||||
| Brine caster – gush [torrent] | 12" | D6 | N/A | 4 | 0 | 1 | |
| Brine caster – lance [HAZARDOUS, MELTA 2, Anti-Vehicle 4+] | |||||||
| Brine caster – lance [HAZARDOUS, MELTA 2, Anti-Vehicle 4+] | 18" | 1 | 3+ | 9 | -4 | D6+1 | |
| ➤ Reef pike [assault, rapidfire1] | |||||||
| ➤ Reef pike [assault, rapidfire1] | 24" | 2 | 3+ | 4 | -1 | 1 | |"""

MELEE = """MELEE WEAPONS | RANGE | A | WS | S | AP | D | |
| Reef pike | |||||||
| Reef pike | Melee | 3 | 3+ | 5 | -1 | 1 |
Undertow: Each time this weapon’s bearer fights, its target is Battle-shocked."""

OPTIONS = """WARGEAR OPTIONS
- Any number of models can each have their reef pike replaced with 1 brine caster.
- 1 model’s reef pike can be replaced with one of the following:
- 1 horn and 1 net*
- 2 nets
* Maximum 1 per unit."""

ABILITIES = """ABILITIES
CORE: Deep Strike, DeadlyDemise1, Scouts 6"
FACTION: Moon Oath
Riptide: Each time this unit ends a Charge move, it gets one more attack.Slack Water: Once per battle, this unit can stay where it is.
WARGEAR ABILITIES
Net: The bearer’s enemies move slowly.
Shoal Split
At the start of the battle, this unit can be split into two."""

COMPOSITION = """UNIT COMPOSITION
- 1 Reef Captain
- 4-9 Reef Guards
OR
- 1 Reef Captain and 10 Reef Guards
This model is equipped with: reef pike; 2 nets.
| 5 models | 90 |
| 10 models | 180 |"""

DAMAGED = """DAMAGED: 1-3 WOUNDS REMAINING
While this model has 1-3 wounds remaining, it hits worse by one."""

LED_BY = """LED BY
This unit can be led by the following units:
- Harbour Master"""

KEYWORDS = """KEYWORDS: INFANTRY, BATTLELINE, SEA FOLK, REEF GUARD
FACTION KEYWORDS:
TIDE WARDENS
TIDE WARDENS"""

LIST = """STRATAGEMS
COMMAND RE-ROLL
1CP
Boarding Actions – Epic Deed
BA
COMMAND RE-ROLL
1CP
Core – Battle Tactic
C
SPRING TIDE
2CP
Deep Current – Strategic Ploy
DRY DOCK
1CP
Salt Company –"""

DETACHMENTS = """DETACHMENT ABILITY
Moonlit Pull
Gifts of the Sea"""

SHEET = (RANGED, MELEE, OPTIONS, ABILITIES, COMPOSITION, DAMAGED, KEYWORDS, LIST, LED_BY, DETACHMENTS)

HAZARDOUS = """Hazardous
Sea fire burns its owner too.
Weapons with [HAZARDOUS] can hurt the model that fires them.
- Roll one D6 for each such weapon; on a 1, the bearer suffers 3 mortal wounds."""

FEEL_NO_PAIN = """Feel No Pain
FEEL NO PAIN
Salt skin is thick.
On the roll printed beside the ability, a lost wound is not lost.- Feel No Pain x+: ignore the wound on x or more."""

SPRING_TIDE = """SPRING TIDE
2CP
Deep Current – Strategic Ploy Stratagem
The water remembers where it stood.
WHEN: Your Movement phase.
TARGET: One SEA FOLK unit from your army.
EFFECT: Your unit moves
again, up to 3".
RESTRICTIONS: Not twice in one turn.
TARGET: One SEA FOLK unit from your army.
EFFECT: Your unit moves
again, up to 3".
RESTRICTIONS: Not twice in one turn."""

DRY_DOCK = """DRY DOCK
1CP
Salt Company – Stratagem
Nothing sinks on land.
WHEN: Your Command phase.
TARGET: One unit from your army.
EFFECT: One model in your unit regains 1 lost wound.
TARGET: One unit from your army.
EFFECT: One model in your unit regains 1 lost wound."""

RE_ROLL_CORE = """COMMAND RE-ROLL
1CP
Core – Battle Tactic Stratagem
A second look.
WHEN: Any phase, after a roll.
TARGET: The unit that rolled.
EFFECT: Roll again.
TARGET: The unit that rolled.
EFFECT: Roll again."""

RE_ROLL_BOARDING = RE_ROLL_CORE.replace("Core – Battle Tactic", "Boarding Actions – Epic Deed").replace(
    "Roll again.", "Roll again, once."
)

MOONLIT_PULL = """Moonlit Pull
Deep Current Detachment
The moon draws more than water.
At the start of the battle round, select one of the following.- High Water: Units from your army move 1" farther.
- Each time a unit from your army shoots, re-roll a Hit roll of 1.KEYWORDS
SEA FOLK units from your army gain the FLOOD keyword.
Designer’s Note: They get wet."""

GIFTS = """Gifts of the Sea
Salt Company Detachment
What it takes, it gives back.
SEA FOLK units from your army have the following ability:Salt Skin (Aura): While an unit is within 6" of this unit, it has the Feel No Pain 6+ ability.
All other units from your army gain the following ability:
Undertow Pull: Enemy units nearby cannot Fall Back."""

MOON_OATH = """Moon Oath
Sailors swear by what pulls them home.
If your Army Faction is , select one of the Moon Phases below for each unit:New Phase Nothing shines, and nothing is seen. Each time a ranged attack targets this unit, subtract 1 from the Hit roll. |
Full Phase The light is bright Melee weapons equipped by models in this unit have the [LETHAL HITS] ability. |"""

ORDERS = """Harbour Calls
The bell is heard above the storm.
If your Army Faction is TIDE WARDENS, a captain can ring one of the calls below.
If your Army Faction is TIDE WARDENS, a captain can ring one of the calls below.
Row! Row! Row! M +2" |
Batten Down! LD +1 OC +1 |"""

REFERENCE = """The SEA FOLK keyword is used in the following Tide Wardens datasheets:
Characters
Other
and others..."""

LOST_REFERENCE = """The and SEA FOLK keywords are used in the following Tide Wardens datasheets:Characters
Battleline"""

FOOTNOTE = "Before selecting targets for this weapon, select one of its profiles to make attacks with."

NAVIGATION = """Army List
Datasheets collatedCharacters
Battleline
Other"""

RULES = (
    HAZARDOUS,
    FEEL_NO_PAIN,
    MOON_OATH,
    REFERENCE,
    FOOTNOTE,
    SPRING_TIDE,
    RE_ROLL_CORE,
    LOST_REFERENCE,
    RE_ROLL_BOARDING,
    DRY_DOCK,
    MOONLIT_PULL,
    GIFTS,
    NAVIGATION,
)

PAGE = "\n".join((TITLE, *SHEET, *RULES))

BOOK = """Coral Crown
Books
| Book | Kind | Edition | Version | Last update |
 Coral Crown | ||||
| Coral Crown | Index | 10 | June 2024 | |
Coral Crown
OLD SALT (1 MODEL)
He is best kept near the divers.
- This model is equipped with: harpoon; old lamp.
He is best kept near the divers.
DIVERS (5 MODELS)
They hide well.
- The Bell Diver is equipped with: harpoon.
- 1 Diver is equipped with: harpoon; net.
- 3 Divers are equipped with: harpoon.
They hide well.
Abilities
All datasheets of the box share one ability, described below.Moon Oath
Sailors swear by what pulls them home.
Each unit from your army can swear once. It then counts as sworn.Breaking an Oath
A sworn unit that flees breaks its oath.
Enhancements
Your OLD SALT has the Lamp of Ages. You can replace it.DEFAULT ENHANCEMENT
LAMP OF AGES
It never went out.
- Add 1" to the Move characteristic of models in the bearer’s unit.
OR
OPTIONAL ENHANCEMENT
ROPE OF AGES
It never tore.
- The bearer’s unit cannot be moved.
Secondary Objectives
You will use the first one.DEFAULT SECONDARY OBJECTIVE
SALVAGE
What lies on the ground is ours.
You score 3VP for each wreck.OR
OPTIONAL SECONDARY OBJECTIVE
LIGHTHOUSE
It must burn.
You score 4VP while it burns.Stratagems
You can use the following Stratagems:ANCHOR DOWN
1CP
Coral Crown – Battle Tactic Stratagem
Here we stay.
WHEN: Your Command phase.
TARGET: One unit from your army.
EFFECT: It stays.
TARGET: One unit from your army.
EFFECT: It stays.
Datasheets
RANGED WEAPONS | RANGE | A | BS | S | AP | D | |
| Harpoon [precision] | |||||||
| Harpoon [precision] | 24" | 1 | 2+ | 6 | -2 | 2 | |
MELEE WEAPONS | RANGE | A | WS | S | AP | D | |
| Harpoon | |||||||
| Harpoon | Melee | 4 | 2+ | 5 | -1 | 1 | |
ABILITIES
CORE: Leader
FACTION: Moon Oath
LEADER
This model can be attached to the following units:
KEYWORDS: INFANTRY, CHARACTER, OLD SALT
FACTION KEYWORDS:
CORAL FOLK
CORAL FOLK
STRATAGEMS
ANCHOR DOWN
1CP
Coral Crown – Battle Tactic
MELEE WEAPONS | RANGE | A | WS | S | AP | D | |
| Harpoon | |||||||
| Harpoon | Melee | 2 | 3+ | 4 | 0 | 1 | |
ABILITIES
FACTION: Moon Oath
KEYWORDS: INFANTRY, DIVERS
FACTION KEYWORDS:
CORAL FOLK
CORAL FOLK
STRATAGEMS
ANCHOR DOWN
1CP
Coral Crown – Battle Tactic
LED BY
This unit can be led by the following unit:
ANCHOR DOWN
1CP
Coral Crown – Battle Tactic Stratagem
Here we stay.
WHEN: Your Command phase.
TARGET: One unit from your army.
EFFECT: It stays.
TARGET: One unit from your army.
EFFECT: It stays."""


def read_bytes(data: bytes) -> ReadResult:
    """Read bytes as one file."""
    digest = hashlib.sha256(data).hexdigest()
    return read(data, RawFile(digest[:16], "pages/sample.txt", "text_dump", digest, len(data)))


def read_text(*blocks: str) -> ReadResult:
    """Read blocks of text as one file."""
    return read_bytes("\n".join(blocks).encode())


def rows(result: ReadResult, table: str, **where: object) -> list[Row]:
    """Rows of a table with these values."""
    return [row for row in result.rows(table) if all(row[name] == value for name, value in where.items())]


def claim_of(result: ReadResult, line_no: int) -> LineClaim:
    """What became of a line."""
    return result.lines[line_no - 1]


def line_of(text: str, start: str) -> int:
    """The number of the first line that starts so."""
    return next(number for number, line in enumerate(text.split("\n"), 1) if line.startswith(start))


def facts(result: ReadResult) -> dict[str, list[str]]:
    """All rows of all tables without their places, sorted: what a file says, whatever the order it says it in."""
    places = ("line_no", "locator", "first_line", "last_line")
    return {
        table: sorted(repr({name: value for name, value in row.items() if name not in places}) for row in found)
        for table, found in sorted(result.tables.items())
    }
