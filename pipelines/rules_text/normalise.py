"""Text-level normalisation: one spelling for what the vintages print in many, and the cut into lines and sentences.

Belongs here: characters, known misprints, lost keywords, sentence boundaries. Does not belong here: meaning.
"""

import re
import unicodedata

_CHARACTERS = str.maketrans(
    {"‐": "-", "‑": "-", "’": "'", "‘": "'", "“": '"', "”": '"', "″": '"', "\xa0": " ", "–": "–"}
)
_REWRITES = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"[ \t]+", " "),
        (r" +([,.;:])", r"\1"),
        (r"\b[Ss]ucessfully\b", "successfully"),
        (r"\beilgible\b", "eligible"),
        (r"\bbearers (?=melee|ranged|unit\b|weapons)", "bearer's "),
        (r"(?<=[a-z0-9\])])\.(?=[A-Z])", ". "),  # a sentence glued to the one before
        (r"\bmodels' unit\b", "model's unit"),
        (r" ?\((?:Aura|Psychic|Order|Aura, Psychic)\)", ""),
        (r"\bhit roll", "Hit roll"),
        (r"\bwound roll", "Wound roll"),
        (r"\bdamage roll", "Damage roll"),
        (r"\bHit Roll", "Hit roll"),
        (r"\bWound Roll", "Wound roll"),
        (r"\bSaving [Tt]hrow", "saving throw"),
        (r"\binvulnerable Save\b", "invulnerable save"),
        (r"\bFeel no Pain\b", "Feel No Pain"),
        (r"\bHit rolls? and (?:the )?Wound rolls?(?= made)", "Hit rolls and Wound rolls"),
        (r"\bof the attack\b", "of that attack"),
        (r'(\d+)" of and visible to ', r'\1" of and visible to '),
        (r"\bset of\b", "set of"),
        (r"\bform the (?=Hit|Wound)", "from the "),
        (r"\bto the 1 (?=Hit|Wound)", "to the "),
        (r"\b(MONSTER|VEHICLE|INFANTRY) of (?=(?:MONSTER|VEHICLE|INFANTRY)\b)", r"\1 or "),
        (r"\bStength\b", "Strength"),
        (r"\bequipped have\b", "equipped with have"),
        (r"\bfrom your array\b", "from your army"),
        (r"\b(Attacks|Strength)\. (?=(?:Attacks|Strength|Damage)\b)", r"\1, "),
        (
            r"(?<=[a-z])(?<!\band)(?<!\bor)(?<!\bbut) (?=(?:If (?:the|that|your|this|it|one|a)|In addition,|Until the end) )",
            ". ",
        ),
        (r" \(i(f [^()]*?(?:re-roll|\badd \d|improve|subtract|mortal wounds)[^()]*? instead)\)(?=\.|$)", r". I\1"),
        (r"\bmodels? (?:that )?(?:it is|they are) equipped with have\b", "have"),
        (r"\b(mortal wounds,? or) (\d*D\d(?:\+\d)? mortal wounds instead)", r"\1 suffers \2"),
        (r"\b(mortal wounds instead if )it is\b", r"\1that enemy unit is"),
        (r" and/or if ", " or if "),
        (r"\b([A-Z][a-z]+ed) enemy (?=units?\b)", r"enemy \1 "),
        (r"(?:(?<=\. )|^)lf\b", "If"),
        (r"\b((?:that|this) (?:[A-Z]+ )?model)s (?=(?:melee|ranged) weapons\b|Deadly Demise\b)", r"\1's "),
        (r"\[IGNORES? COVERS?\]", "[IGNORES COVER]"),
        (r"\bon a (\d) (\d)(?=,)", r"on a \1-\2"),
        (r"\bPsychic Attack (?=and mortal)", "Psychic Attacks "),
        (r"\bauspex scanned\b", "auspex-scanned"),
        (
            r"\bweapons models in (this|that|your) unit are equipped with have\b",
            r"weapons equipped by models in \1 unit have",
        ),
        (r"\bcan also ignore any\b", "can ignore any"),
        (r"\broll or 1\b", "roll of 1"),
        (r", or, (?=re-roll|add|improve)", ", or "),
        (r", which is improved to (Feel No Pain \d\+) against", r" and the \1 ability against"),
        (r"\bthen until the end of the phase, (?=each time)", "until the end of the phase, "),
        (r"\bmakes a melee attack or (?:makes )?a ranged attack\b", "makes an attack"),
        (r"\bopponents (?=(?:Shooting|Fight|Charge|Movement|Command) phase)", "opponent's "),
        (r"\bto maximum of\b", "to a maximum of"),
        (r"\bMovement characteristic\b", "Move characteristic"),
        (
            r"\b(weapon|that attack|attack)'s Ballistic Skill or Weapon Skill\b",
            r"\1's Ballistic Skill and Weapon Skill",
        ),
        (r"\ban?  ?(?=(?:unit|model|units|models)\b)", "a "),
        (r"\ban (?=[A-Za-z])", "a "),
        (r"\bAn (?=[A-Za-z])", "A "),
        (r"\ba attack", "an attack"),
        (r"\[and only if", "(and only if"),
        (r",(?=[a-z])", ", "),
        (r"\(([^()\[\]]*)\]", r"(\1)"),
        (r"\bbearer s\b|\bbearers (?=[A-Z][a-z]+ characteristic)", "bearer's "),
        (r"(Half-strength|Starting Strength) (?=you can |add |re-roll |subtract |improve )", r"\1, "),
        (r"(\(excluding [^()]*\)) (?=you can re-roll)", r"\1, "),
        (r"\bgreaterthan\b", "greater than"),
        (r"\b(?:with|are) have\b", "have"),
        (r",? and can do so even if [^.,]*? this (?:phase|turn)", ""),
        (r",? even if [^.,]*? already (?:used|targeted)[^.,]*? this (?:phase|turn)", ""),
        (r"\brange characteristic\b", "Range characteristic"),
        (r"\bUre destroyed\b", "The destroyed"),
        (r"\b[Uu]nmodifed\b", "unmodified"),
        (r"\bsustainded\b", "sustained"),
        (r"\bWhilst\b", "While"),
        (r"\bwhilst\b", "while"),
        (r"\bWeapon skill\b", "Weapon Skill"),
        (r"\bBallistic skill\b", "Ballistic Skill"),
        (r"\bbearers Pistols\b", "bearer's Pistols"),
        (r"\bmodels unit\b", "model's unit"),
        (
            r"([Uu]ntil the end of the (?:phase|turn|battle round|battle(?! round))),? (?=[a-z])(?!of\b|in\b|after\b|or\b|and\b)",
            r"\1, ",
        ),
        (r"(when resolving (?:those|these) attacks) (?=[a-z])", r"\1, "),
    )
)
_BRACKET_LESS = re.compile(
    r"(?<![\[\w-])(LETHAL HITS|SUSTAINED HITS (?:\d|D3)|DEVASTATING WOUNDS|IGNORES COVER|TWIN-LINKED|RAPID FIRE \w+)(?![\]\w])(?= abilit)"
)
# Keywords that some sources print as plain words: `a Monster or Vehicle unit`, `targets a Vehicle`.
_MIXED_CASE = re.compile(
    r"\b(?:Monster|Vehicle|Infantry|Psyker|Mounted|Titanic)s?\b(?= (?:units?|models?|or|and)\b|,|\)|$)(?! or [a-z]| and [a-z])"
    r"|\b(?:Character|Walker|Battleline|Fortification|Beast|Swarm|Daemon)(?= (?:units?|models?)\b)"
)
_SENTENCE = re.compile(r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.) +(?=[\"'(\[A-Z0-9])")
_STARTERS = frozenset(
    [
        "Each",
        "While",
        "If",
        "Until",
        "In",
        "At",
        "When",
        "Add",
        "Subtract",
        "Models",
        "Ranged",
        "Melee",
        "Select",
        "Roll",
        "Once",
        "That",
        "This",
        "The",
        "Weapons",
        "Improve",
        "Worsen",
        "Your",
        "You",
        "All",
        "A",
        "An",
        "Any",
        "On",
        "For",
        "After",
        "Before",
        "Change",
        "Halve",
        "Those",
        "These",
        "Such",
        "Attacks",
        "It",
        "They",
        "One",
        "Two",
        "Every",
        "During",
        "Then",
        "Friendly",
        "Enemy",
        "Re-roll",
        "Do",
        "Unless",
        "Provided",
        "As",
        "Just",
        "Start",
        "End",
        "Whenever",
        "Some",
        "Its",
        "Their",
        "Only",
        "With",
        "From",
        "Twice",
        "Just",
        "Instead",
        "Unmodified",
        "Hits",
        "Successful",
        "Psychic",
        "Other",
        "Critical",
        "Select",
        "Ignore",
        "Models'",
        "Up",
        "Both",
        "Either",
        "To",
        "But",
        "And",
        "Or",
        "Also",
        "Up",
        "Weapon",
        "Immediately",
        "Otherwise",
        "Double",
        "Triple",
        "Increase",
    ]
)


def normalise(text: str) -> str:
    """The text with one spelling of everything; newlines and bullets stay."""
    text = text.translate(_CHARACTERS)
    text = unicodedata.normalize("NFKC", text).translate(_CHARACTERS)
    for pattern, replacement in _REWRITES:
        text = pattern.sub(replacement, text)
    text = re.sub(r"\[[A-Za-z][A-Za-z0-9 +'-]*\]", lambda found: found.group(0).upper(), text)
    text = _MIXED_CASE.sub(lambda found: found.group(0).upper(), text)
    text = _BRACKET_LESS.sub(r"[\1]", text)
    text = re.sub(r"(?<=[.:;]) ?- (?=[A-Z])", "\n- ", text)  # a bullet glued to the line before
    return "\n".join(line.strip() for line in text.split("\n") if line.strip())


def sentences(line: str) -> list[str]:
    """The sentences of one line, without their final stop, the first word in lower case unless it is a name."""
    return [lower_start(part.strip().rstrip(".").strip()) for part in _SENTENCE.split(line) if part.strip(" .")]


def lower_start(sentence: str) -> str:
    """The sentence with a plain first word in lower case."""
    first = re.match(r"[A-Z][a-z'-]*", sentence)
    if first and first.group(0) in _STARTERS and not re.match(r"[A-Z][A-Z]", sentence):
        return sentence[0].lower() + sentence[1:]
    return sentence
