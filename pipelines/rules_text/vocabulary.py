"""The words of the game that the compiler must know: keywords, weapon abilities, words of an attack.

Belongs here: facts of the vocabulary (names, not sentences) and the tests built on them. Does not belong here: grammar.
"""

import re

SINGLE_KEYWORDS = frozenset(
    [
        "INFANTRY",
        "VEHICLE",
        "MONSTER",
        "CHARACTER",
        "PSYKER",
        "MOUNTED",
        "TRANSPORT",
        "WALKER",
        "FLY",
        "TITANIC",
        "BATTLELINE",
        "SMOKE",
        "GRENADES",
        "TERMINATOR",
        "BEAST",
        "SWARM",
        "AIRCRAFT",
        "FORTIFICATION",
        "CAVALRY",
        "BIKER",
        "DAEMON",
        "JUMP",
        "ARTILLERY",
        "TOWERING",
        "DREADNOUGHT",
        "OFFICER",
        "CULTIST",
        "PHOBOS",
        "TACTICUS",
        "GRAVIS",
        "SYNAPSE",
        "HARVESTER",
        "CANOPTEK",
        "CRYPTEK",
        "DESTROYER",
        "NOBLE",
        "WARLORD",
    ]
)
LEADING_KEYWORDS = frozenset({"KHORNE", "SLAANESH", "NURGLE", "TZEENTCH", "DAMNED", "LEGENDARY"})
FACTION_KEYWORDS = tuple(
    """ADEPTUS ASTARTES;HERETIC ASTARTES;ADEPTUS CUSTODES;ADEPTUS MECHANICUS;ADEPTA SORORITAS;ASTRA MILITARUM;GREY KNIGHTS;
    IMPERIAL KNIGHTS;CHAOS KNIGHTS;DEATH GUARD;THOUSAND SONS;WORLD EATERS;EMPEROR'S CHILDREN;LEGIONES DAEMONICA;AELDARI;
    DRUKHARI;HARLEQUINS;YNNARI;ASURYANI;NECRONS;ORKS;T'AU EMPIRE;TYRANIDS;GENESTEALER CULTS;LEAGUES OF VOTANN;
    AGENTS OF THE IMPERIUM;SPACE WOLVES;BLOOD ANGELS;DARK ANGELS;BLACK TEMPLARS;DEATHWATCH;ULTRAMARINES;IMPERIAL FISTS;
    RAVEN GUARD;IRON HANDS;SALAMANDERS;WHITE SCARS;ANATHEMA PSYKANA;HAEMONCULUS COVENS;WYCH CULTS;KABALITE;SKITARII;
    CULT MECHANICUS;ADEPTUS TITANICUS;ASPECT WARRIORS""".replace("\n", "").split(";")
)
_FACTIONS = tuple(sorted((name.strip() for name in FACTION_KEYWORDS), key=len, reverse=True))
_PLURALS = {name + "S": name for name in SINGLE_KEYWORDS} | {"BEASTS": "BEAST", "PSYKERS": "PSYKER"}
NOT_KEYWORDS = frozenset({"D3", "D6", "CP", "WHEN", "TARGET", "EFFECT", "RESTRICTIONS", "AND", "OR"})

# Weapon abilities that only weapons of one kind can use: they narrow the attacks that a grant touches.
RANGED_ONLY = frozenset(
    {
        "assault",
        "heavy",
        "rapid fire",
        "ignores cover",
        "blast",
        "torrent",
        "indirect fire",
        "melta",
        "pistol",
        "conversion",
    }
)
MELEE_ONLY = frozenset({"lance", "extra attacks"})
WEAPON_KEYWORDS = RANGED_ONLY | MELEE_ONLY | {
    "sustained hits", "lethal hits", "devastating wounds", "twin-linked", "precision", "hazardous", "anti", "psychic",
    "one shot", "cleave", "dead choppy", "hooked", "linked fire", "reverberating summons", "bubblechukka", "plasma warhead",
    "snagged", "psychic assassin", "harpooned", "impaled", "overcharge", "thunderous", "close-quarters", "hunter",
}  # fmt: skip

STATS = {
    "Attacks": "A", "Strength": "S", "Toughness": "T", "Armour Penetration": "AP", "Damage": "D", "Ballistic Skill": "BS",
    "Weapon Skill": "WS", "Save": "Sv", "Wounds": "W", "BS": "BS", "WS": "WS", "AP": "AP",
}  # fmt: skip
OTHER_STATS = frozenset({"Move", "Leadership", "Objective Control", "Range", "OC"})
LOWER_IS_BETTER = frozenset({"AP", "BS", "WS", "Sv"})
NUMBERS = {
    w: n for n, w in enumerate(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"])
} | {"a": 1}

# Words that may change an attack. A clause that holds one of them is never called harmless unless `EXPLAINED` accounts for it.
ATTACK_WORDS = re.compile(
    r"\bhits?\b|\bhitting\b|\bwound(?:s|ed|ing)?\b|\bsav(?:e|es|ing)\b|\bdamage\b|\battacks?\b|\battacking\b|\bstrength\b"
    r"|\bweapons?\b|\barmour penetration\b|\bAP\b|\bmortal\b|\bfeel no pain\b|\binvulnerable\b|\bcritical\b|\bre-roll"
    r"|\btoughness\b|\bbenefits? of cover\b|\bstealth\b|\bballistic skill\b|\bweapon skill\b|\bBS\b|\bWS\b|\[|\bunmodified\b"
    r"|\b(?:shoot|fight)s? (?:again|one additional|twice)|as if it were (?:your|the) (?:shooting|fight)|\bcan (?:shoot|fight)\b"
    r"|\bdeadly demise\b|\boverwatch\b|\btarget(?:s|ed|ing)?\b|\bcharacteristics?\b|\bsustained|\blethal\b|\bmodifiers?\b",
    re.IGNORECASE,
)

# Uses of those words that change no attack. Each entry removes exactly the words it accounts for.
EXPLAINED = tuple(
    re.compile(pattern)
    for pattern in (
        r"\blost wounds?\b|\b(?:\w+|\d+) (?:lost )?wounds? remaining\b|\breanimat\w+ (?:\w+ )?wounds?\b|\bstarting number of wounds\b",
        r"\bfull wounds remaining\b|\bregains? (?:up to )?\S+ (?:lost )?wounds?\b|\blost one or more wounds\b|\blost any wounds\b",
        r"\bhit by (?:one or more of )?(?:those|these|its|that|the attacking unit's) (?:melee |ranged )?attacks?\b",
        r"\bHatchways? (?:that )?(?:was|were) (?:the )?targets?\b|\bone target for (?:that|each) charge\b",
        r"\b(?:as a result of|by|from|after|with) (?:one or more of )?(?:those|these|its|that|the attacking unit's|an?|any) (?:melee |ranged )?attacks?\b",
        r"\b(?:the|that) attacking (?:unit|model|player)(?:'s unit)?(?:'s attacks)?\b|\bthe target of (?:that|those|a|any) charges?\b",
        r"\bfinish(?:ed)? (?:making|resolving) (?:its|their|those|these)? ?attacks\b|\bresolved (?:its|their|those|all of its) attacks\b",
        r"\btargets? of (?:that|a|the|its) charge\b|\bcharge (?:move )?targets?\b|\bselected its targets\b",
        r"\bhit by (?:one or more of )?(?:those|these|its|that) (?:melee |ranged )?attacks?\b",
        r"\b(?:select\w*|was|were) as the target of (?:one or more of )?(?:those|these|the attacking unit's|its|that) attacks?\b",
        r"\b(?:Move|Leadership|Objective Control|Range|OC|Ld)(?:,? (?:and|or) (?:Move|Leadership|Objective Control|Range))* characteristics?\b",
        r"\b(?:target|targeted|targeting|target's) (?:a |that |this |your |the |one )?(?:friendly )?[\w' ]*?(?:unit|model)? ?with (?:a |this |that |the )?[\w' ]*?stratagem\b",
        r"\btargeted with (?:a|that|the|this) \w* ?Stratagem\b|\btarget(?:ing|s)? of (?:a|that|the|this) Stratagem\b",
        r"\btarget [^,.;]*? with (?:the )?(?:Fire Overwatch )?Stratagems?\b(?= for 0CP| even (?:when|while|if))",
        r"\btakes? up the space of [^.;]*|\bcannot transport [^.;]*|\bmodels? with a Wounds characteristic of \d+ or (?:less|more|fewer)\b(?= takes?|$|,|\.)",
        r"\ba Wounds characteristic of more than \d+\b(?= takes?)|\bcan (?:also )?transport [^.;]*",
        r"\bcan only shoot with this weapon once per battle\b|\bthis weapon can (?:only )?be (?:fired|shot|used) once per battle\b",
        r"\[ONE SHOT\] weapons [^.;]*(?:been shot|not having been shot)\b",
        r"\bre-roll (?:the |that |an? |any |one |its )?(?:Advance|Charge|Battle-shock|Leadership|Desperate Escape|Hazardous|reserves?)"
        r"(?: and (?:Advance|Charge))? (?:rolls?|tests?)\b",
        r"\beligible (?:to|targets?) (?:shoot|fight|charge|of (?:that|a) charge)\b|\bcharge targets?\b",
        r"\b(?:declare|declares|declared) a charge (?:that|which) targets? (?:(?! and )[^,.;])*|\btargets? (?:only )?(?:of|for) (?:the|that|a|its) charge\b",
        r"\bnot (?:have to |be able to )?target\w* [^,.;]* (?:with|by) (?:a )?charge\b|\bStrategic\b",
        r"\b(?:Desperate Escape|Hazardous) tests?[^,.;]*automatically passed\b",
        r"\b(?:cannot|can't) be (?:targeted|affected|selected) (?:with|by|as the target of) (?:the |a |an )?(?:Fire Overwatch|[A-Z][\w' ]*) Stratagems?\b",
        r"\bcannot use the Fire Overwatch Stratagem to shoot at (?:(?! and )[^,.;])*|\bcannot target [^,.;]* with (?:the )?Fire Overwatch(?: Stratagem)?\b",
        r"\bFire Overwatch Stratagem\b(?= for 0CP)|\bFire Overwatch for 0CP\b",
        r"\bre-roll (?:one |the )?(?:dice|D6s?|results?) (?:for|when|made for) (?:Advance|Charge)(?:(?! and )[^,.;])*",
        r"\b(?:the|a|those|that) targeted (?:[\w' ]+ )?(?:units?|models?)\b|\b(?:unit|model)s? targeted (?:by|with) this Stratagem\b",
        r"\b(?:cannot|can|must|not) (?:be )?target(?:ed)? [^,.;]*(?:with|by|using) (?:it|this Stratagem|that Stratagem|the [A-Z][\w' ]* Stratagem)\b(?:(?! and )[^,.;])*",
        r"\btarget(?:s|ed)? (?:of|for|with|by) (?:the |this |that |a )?(?:[A-Z][\w' -]* )?Stratagem\b|\btargets? [^,.;]* with (?:a |the |that |this )[^,.;]*Stratagem\b",
        r"\bre-roll (?:the |that )?(?:D6|D3|dice|test|Battle-shock and Leadership tests)[^,.;]*\b(?:move|moves|moved|test|tests|taken)\b(?:(?! and )[^,.;])*|\bre-roll (?:that|the) (?:Battle-shock |Leadership )?test\b",
        r"\bfor the purposes of selecting targets(?:(?! and )[^,.;])*|\bselect(?:ing|s|ed)? (?:its |their )?targets?\b(?: for (?:those |its |their )?attacks\b)?",
        r"\b(?:has|have|had) (?:already )?been targeted (?:with|by)\b|\byour (?:[A-Z]\w+ (?:of )?)+target\b|\b[A-Z][a-z]+ Weapons? [A-Z][a-z]+",
        r"\bre-roll (?:the|that) subsequent [Cc]harge roll\b|\bmodifiers to (?:that|the|its) (?:Charge|Advance|Move) (?:rolls?|characteristics?)\b",
        r"\b(?:can )?(?:target|targeted) [^,.;]*\bwith the [^,.;]*Stratagems?\b[^,.;]*\bfor 0CP\b",
        r"\bif you have already targeted (?:(?! and )[^,.;])*|\bif you targeted a [^,.;]* with this Stratagem\b",
        r"\bno mortal wounds are inflicted by (?:(?! and )[^,.;])*|\bdoes not suffer mortal wounds from (?:(?! and )[^,.;])*",
        r"\b(?:cannot|can) fire Overwatch\b(?:(?! and )[^,.;])*|\bcannot (?:fight|shoot) again\b|\bto shoot Overwatch\b",
        r"\bas (?:a|the) result of (?:any of |one or more of )?(?:those|these|its|that|your unit's|your model's|the bearer's|this model's|attacks)(?:(?! and )[^,.;])*",
        r"\b(?:declares?|declared|declare) a charge that (?:only )?(?:targets?|includes) (?:(?! and )[^,.;])*|\bone or more targets of that charge\b",
        r"\b(?:each )?weapons? equipped by these models is considered [^,.;]* for the purposes of the Firing Deck ability",
        r"\bmodels? with a Wounds characteristic of \d+ or more (?:takes?|counts?|equipped)[^.;]*|\b(?:has|have) a Wounds characteristic of \d+ or more\b(?= takes?)",
        r"\breanimates? [^,.;]*|\bhow many wounds are reanimated|\bre-roll the dice to see how many wounds\b|\bmodels? with a Wounds characteristic of 1\b",
        r"\b(?:[Cc]annot|can) [Ff]ire Overwatch\b(?:(?! and )[^,.;])*|\byou cannot target (?:a |any )?(?:[A-Z' ]+ )?units? (?:that|which) (?:(?! and )[^,.;])*",
        r"\bDeadly Demise ability as normal\b",
        r"\btake the test using its Strength\b|\bStarting Strengths?\b|\b[Hh]alf-[Ss]trength\b",
        r"\b(?:one or more of )?the targets of that charge\b|\bcharge moves? that targets?\b",
        r"\bcannot target the same unit with [^.;]*|\bcannot be targeted by this and [^.;]*|\bsuffers mortal wounds to do so\b",
        r"\b(?:can )?re-roll (?:one or both|all|up to \w+|any|one or more)(?: of the)?(?: dice| D6| results)(?: rolled)?\b(?! (?:rolled )?to determine)",
        r"\b(?:can )?re-roll (?:\d|one|that) (?:Miracle|Strands|Blessings|Cabal) dice\b|\bre-roll the result of that Miracle dice\b",
        r"\bdeclares a Charge that targets [^,.;]*|\bre-roll charge rolls?\b",
        r"\b(?:the )?target must be set up [^,.;]*|\bcounts as having performed [^,.;]*",
    )
)


def unexplained(text: str) -> str | None:
    """The first word of an attack in the text that no harmless use accounts for; None if there is none."""
    for pattern in EXPLAINED:
        text = pattern.sub(" ", text)
    found = ATTACK_WORDS.search(text)
    return found.group(0) if found else None


def is_keyword(name: str) -> bool:
    """Whether a name printed before a sentence is a keyword that the game divides units by."""
    return name in LEADING_KEYWORDS | SINGLE_KEYWORDS | set(_FACTIONS) | {"CHAOS UNDIVIDED"}


def singular(keyword: str) -> str:
    """A keyword that the text prints in the plural (MONSTERS), as datasheets print it (MONSTER)."""
    return _PLURALS.get(keyword, keyword)


def split_keyword(text: str) -> tuple[str, ...]:
    """The keywords in a run of capitals: `HERETIC ASTARTES INFANTRY` is two. Unknown runs stay one."""
    text = text.strip()
    found: list[str] = []
    tail: list[str] = []
    changed = True
    while changed and text:
        changed = False
        for faction in _FACTIONS:
            if text == faction or text.startswith(faction + " "):
                found.append(faction)
                text = text[len(faction) :].strip()
                changed = True
                break
        first, _, rest = text.partition(" ")
        if rest and first in LEADING_KEYWORDS | SINGLE_KEYWORDS and rest not in {"PACK", "OF TZEENTCH"}:
            found.append(first)
            text = rest.strip()
            changed = True
        head, _, last = text.rpartition(" ")
        if head and head != "WAR" and last in SINGLE_KEYWORDS and last not in {"NOBLE", "DESTROYER"}:
            tail.insert(0, singular(last))
            text = head.strip()
            changed = True
    if text:
        found.append(singular(text))
    return tuple(found + tail)


def keyword_alternatives(text: str) -> tuple[tuple[str, ...], ...]:
    """`MONSTER or VEHICLE` gives two alternatives, `KHORNE INFANTRY` one of two keywords."""
    parts = re.split(r",? and/or |, or |, and |, | or (?:an? )?| and ", re.sub(r"\b(?:units?|models?)\b", "", text))
    return tuple(split_keyword(part) for part in parts if part.strip())


CATEGORIES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        (
            "army-building",
            r"\bmuster|your army can include|enhancements?\b|attached to|can be your warlord|keyword\b.*army|this model can be attached|leader units|points",
        ),
        (
            "reserves",
            r"reserves|reinforcements|deep strike|set (?:it|them|that unit|this unit|up)|set up|embark|infiltrat|scouts",
        ),
        ("battle-shock", r"battle-?shock|leadership"),
        ("movement", r"\bmoves?\b|\bmoved\b|advance|fall back|fell back|charge|pile|consolidat|hatchway"),
        ("objective", r"objective|control|victory|deed"),
        ("command", r"\bCP\b|\d+CP|stratagem|command points?|order"),
    )
)


def category_of(text: str) -> str:
    """The category of a text that changes no attack."""
    return next((name for name, pattern in CATEGORIES if pattern.search(text)), "other")
