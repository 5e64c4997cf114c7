"""Rules printed as headed text: detachment rules, enhancements, army rules, the glossary of core rules.

Belongs here: the text of a rule, its flavour, and what it hands out under names of its own (options, stances, orders,
oaths, granted abilities, boxed additions). Does not belong here: what a rule does.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pipelines.sources.records import Disposition
from pipelines.sources.text import name_key
from pipelines.sources.text_dump import vocabulary as words
from pipelines.sources.text_dump.abilities import named
from pipelines.sources.text_dump.blocks import Block
from pipelines.sources.text_dump.ledger import Ledger
from pipelines.sources.text_dump.lines import Names, Piece
from pipelines.sources.text_dump.lost import lost_in_text
from pipelines.sources.text_dump.sheets import Page

_RULE_WORDS = re.compile(
    r"\b(?:each time|you can|you must|your army|your opponent|if your|select|this (?:unit|model|ability|rule)|"
    r"until the|characteristics?|phase|\d+\"|D[36]|units? from|models? from|abilit(?:y|ies))\b",
    re.IGNORECASE,
)
# Marks of a rule that no flavour carries: commands to the player, and the army that the rule is for.
_RULE_MARKS = re.compile(
    r"^(?:Each time|If your|While an?|At the (?:start|end)|In your|Until the)\b|\b(?:from your army|your army,|you can|"
    r"you must|select (?:one|up to|a|an)|your Army Roster|until the (?:end|start) of)\b",
)
_CHOICE = re.compile(
    r"\b(?:select|choose|pick|do|use|apply|resolve)\b[^.]*?\b(?:one|two|either|following|below|bullet|types?)\b|"
    r"\bone of (?:the|these|those)\b",
    re.IGNORECASE,
)
_GRANT = re.compile(r"\b(?:abilit(?:y|ies)|rules?)\s*:\s*$", re.IGNORECASE)
_GLUED_BULLET = re.compile(r"(?<=[.:!?)])\s?-\s(?=[A-Z])")
_GLUED_GRANT = re.compile(r"(?<=ability:)(?=[A-Z])|(?<=abilities:)(?=[A-Z])")
_NOTE = re.compile(r"Designer's Notes?\s*:\s*(?P<text>.+)", re.IGNORECASE | re.DOTALL)
_BULLET = re.compile(r"^[-•■]\s*")
# What the rule part of a named option begins with, where name, flavour and rule run on in one line.
_RULE_START = re.compile(
    r"(?:(?<=^)|(?<=\s))(?:(?:Melee|Ranged) weapons\b|Weapons equipped\b|Each time\b|While\b|Until\b|When(?:ever)?\b|"
    r"If (?:this|that|your|a|an|the)\b|Add \d|Subtract \d|Improve\b|Models? (?:in|from|with)\b|"
    r"Units? (?:from|in|with)\b|"
    r"This (?:unit|model)\b|Once per\b|At the (?:start|end)\b|In your\b|You can\b|Your? units?\b|Enemy\b|The bearer\b|"
    r"Friendly\b|One (?:unit|model)\b|After this\b|Select\b|Roll\b|Re-roll\b)"
)
_SENTENCE_STARTS = frozenset(
    (
        *("a", "an", "the", "this", "these", "those", "that", "it", "they", "their", "his", "her", "your", "you"),
        *(
            "while",
            "each",
            "until",
            "when",
            "whenever",
            "if",
            "once",
            "after",
            "before",
            "at",
            "in",
            "for",
            "by",
            "with",
        ),
        *("add", "subtract", "improve", "select", "roll", "re-roll", "models", "model", "units", "unit", "weapons"),
        *("melee", "ranged", "friendly", "enemy", "one", "all", "any", "some", "every", "as", "to", "no", "not"),
    )
)
_ENHANCEMENT_START = re.compile(r"(?:[A-Z][A-Z' -]+|[A-Z' -]+ (?:or|and) [A-Z' -]+) (?:models?|units?) only\b")


@dataclass
class _Child:
    """Something a rule hands out under a name of its own."""

    name: str
    pieces: list[Piece] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    flavour: str | None = None


@dataclass
class _Rule:
    """A rule taken apart: its own lines and its children."""

    name: str
    lines: list[str] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    repeats: list[Piece] = field(default_factory=list)
    plain: list[Piece] = field(default_factory=list)  # table rules
    children: list[_Child] = field(default_factory=list)

    def raw(self) -> list[tuple[str, str]]:
        """Lines as printed and normalised, for signs of loss."""
        return [(piece.raw, piece.text) for piece in self.pieces]


# --- the glossary ---------------------------------------------------------------------------------------------------


def read_core(ledger: Ledger, block: Block) -> None:
    """A heading of the core rules and everything below it, bullets and repeated paragraphs included."""
    heading, body = block.heading, block.body
    if not body:
        ledger.refuse(heading, "core_rule", "a heading of the rules without a text")
        return
    while body and words.heading_key(body[0].text) == words.heading_key(heading.text):
        body = body[1:]
    repeated = block.body[: len(block.body) - len(body)]
    if not body:
        for piece in block.pieces:
            ledger.refuse(piece, "core_rule", "a heading of the rules without a text")
        return
    lost = lost_in_text([(piece.raw, piece.text) for piece in body])
    text = "\n".join(piece.text for piece in block.body)
    index, new = ledger.once("rule", heading, name=heading.text, parent=None, text=text, has_lost_text=lost)
    ledger.claim(heading, "core_rule", "parsed" if new else "repeat", "rule", index)
    ledger.claim_all(repeated, "core_rule", "repeat", "rule", index)
    seen: set[str] = set()
    for piece in body:
        if _is_table_rule(piece.text):
            ledger.claim(piece, "core_rule", "decoration")
        else:
            ledger.claim(piece, "core_rule", "parsed" if new and piece.text not in seen else "repeat", "rule", index)
        seen.add(piece.text)


def is_known_core(block: Block) -> bool:
    """Whether the heading is one of the core rules' own."""
    return words.is_core_heading(block.heading.text)


def speaks_of_an_army(block: Block) -> bool:
    """Whether a glossary entry describes an ability of an army (`models from your army with a ... ability`)."""
    text = "\n".join(piece.text for piece in block.body)
    return bool(re.search(r"\bfrom your army with (?:a|an|the|this)\b[^.]*\babilit(?:y|ies)\b", text))


# --- army rules -----------------------------------------------------------------------------------------------------


def read_army(ledger: Ledger, block: Block, page: Page, section: str = "army_rule") -> None:
    """An army rule with its stances, orders or oaths. Paragraphs printed twice count once."""
    heading = block.heading
    body = block.body
    while body and words.heading_key(body[0].text) == words.heading_key(heading.text):
        ledger.claim(body[0], section, "decoration")
        body = body[1:]
    flavour, body = _flavour(body)
    rule = _take_apart(heading.text, body, bullets_are_options=False)
    if not rule.lines and not rule.children:
        for piece in block.pieces:
            ledger.refuse(piece, section, "an army rule without a text")
        return
    common = {"faction": page.faction}
    index = _store(ledger, "army_rule", section, heading, rule, flavour, common)
    if flavour:
        ledger.claim(flavour, section, "parsed", "army_rule", index)
    _children(ledger, "army_rule", section, rule, common)


# --- detachments ----------------------------------------------------------------------------------------------------


class Detachments:
    """Reads the blocks that carry `X Detachment`: detachment rules and enhancements."""

    section = "detachment_rule"

    def __init__(self, ledger: Ledger, page: Page, names: Names, blocks: Sequence[Block]) -> None:
        self._ledger = ledger
        self._page = page
        self._rules = {name_key(name) for name in names.detachment_rules}
        self._enhancements = {name_key(name) for name in names.enhancements}
        headed = {name_key(block.heading.text) for block in blocks if block.kind == "detachment"}
        self._headless_rules = [name for name in names.detachment_rules if name_key(name) not in headed]
        self._headless_enhancements = [name for name in names.enhancements if name_key(name) not in headed]

    def read(self, block: Block) -> None:
        """One block."""
        pieces = list(block.pieces)
        name, place, body = self._head(pieces)
        if place is None:
            self._refuse(pieces, "a detachment block without its detachment")
            return
        match = words.DETACHMENT_LINE.fullmatch(place.text)
        detachment = match["detachment"] if match else place.text
        body = [piece for piece in body if not self._is_points(piece, name)]
        if not body:
            self._refuse(pieces, "a detachment block without a text")
            return
        inferred = None if name else self._missing_name(body)
        if name is None and inferred is None:
            self._refuse(
                pieces, "a detachment block without its name, and the lists of the page do not tell which it is"
            )
            return
        head = name or place
        printed = name.text if name else str(inferred)
        if self._is_enhancement(printed, body):
            self._enhancement(pieces, head, printed, detachment, body, inferred is not None)
        else:
            self._rule(pieces, head, place, printed, detachment, body, inferred is not None)

    def _refuse(self, pieces: Sequence[Piece], reason: str) -> None:
        for piece in pieces:
            self._ledger.refuse(piece, self.section, reason)

    @staticmethod
    def _head(pieces: list[Piece]) -> tuple[Piece | None, Piece | None, list[Piece]]:
        """(name, detachment line, rest); the name is missing where the detachment line comes first."""
        if words.DETACHMENT_LINE.fullmatch(pieces[0].text):
            return None, pieces[0], pieces[1:]
        for index, piece in enumerate(pieces[1:3], 1):
            if words.DETACHMENT_LINE.fullmatch(piece.text):
                return pieces[0], piece, [*pieces[1:index], *pieces[index + 1 :]]
        return pieces[0], None, pieces[1:]

    def _is_points(self, piece: Piece, name: Piece | None) -> bool:
        """A line of points under an enhancement's name."""
        if not re.fullmatch(r"\d{1,3}(?: pts)?", piece.text, re.IGNORECASE) or name is None:
            return False
        self._page.points.setdefault(name_key(name.text), (int(re.sub(r"\D", "", piece.text)), piece))
        self._ledger.claim(piece, "enhancement", "reference")
        return True

    def _missing_name(self, body: Sequence[Piece]) -> str | None:
        """The one listed name that no block on the page carries, where the list leaves no choice."""
        missing = self._headless_enhancements if self._reads_as_enhancement(body) else self._headless_rules
        return missing[0] if len(missing) == 1 else None

    @staticmethod
    def _reads_as_enhancement(body: Sequence[Piece]) -> bool:
        return any(_ENHANCEMENT_START.match(piece.text) for piece in body[:2])

    def _is_enhancement(self, name: str, body: Sequence[Piece]) -> bool:
        key = name_key(name)
        if key in self._rules or key in self._enhancements:
            return key in self._enhancements
        return self._reads_as_enhancement(body)

    def _enhancement(
        self, pieces: Sequence[Piece], head: Piece, name: str, detachment: str, body: Sequence[Piece], lost: bool
    ) -> None:
        flavour, rest = _flavour(list(body))
        points = self._page.points.get(name_key(name))
        self._page.rule_detachments.setdefault(name_key(name), detachment)
        requires = _ENHANCEMENT_START.match(rest[0].text) if rest else None
        index, new = self._ledger.once(
            "enhancement",
            head,
            name=name,
            detachment=detachment,
            faction=self._page.faction,
            points=points[0] if points else None,
            text="\n".join(piece.text for piece in rest),
            flavour=flavour.text if flavour else None,
            requires=requires[0] if requires else None,
            has_lost_text=lost or lost_in_text([(piece.raw, piece.text) for piece in rest]),
        )
        self._ledger.claim_all(pieces, "enhancement", "parsed" if new else "repeat", "enhancement", index)

    def _rule(
        self,
        pieces: Sequence[Piece],
        head: Piece,
        place: Piece,
        name: str,
        detachment: str,
        body: Sequence[Piece],
        lost: bool,
    ) -> None:
        flavour, rest = (body[0], list(body[1:])) if _begins_with_flavour(body) else (None, list(body))
        rule = _take_apart(name, rest, bullets_are_options=True)
        common = {"detachment": detachment, "faction": self._page.faction}
        index = _store(self._ledger, "detachment_rule", self.section, head, rule, flavour, common, lost)
        self._page.rule_detachments.setdefault(name_key(name), detachment)
        for piece in (place, flavour):
            if piece is not None:
                self._ledger.claim(piece, self.section, "parsed", "detachment_rule", index)
        _children(self._ledger, "detachment_rule", self.section, rule, common)

    def grant(self, block: Block) -> None:
        """`While included in an X Detachment following units have Y keyword:` and the units, unless lost."""
        match = words.KEYWORD_GRANT.fullmatch(block.heading.text)
        assert match is not None
        units = [piece for piece in block.body if piece.text not in words.GROUP_LABELS]
        text = "\n".join([block.heading.text, *(piece.text for piece in units)])
        index, new = self._ledger.once(
            "detachment_rule",
            block.heading,
            name=f"KEYWORDS: {match['keyword']}",
            detachment=match["detachment"],
            faction=self._page.faction,
            parent=match["detachment"],
            text=text,
            flavour=None,
            has_lost_text=not units,
        )
        said: Disposition = "parsed" if new else "repeat"
        self._ledger.claim_all([block.heading, *units], "keyword_grant", said, "detachment_rule", index)
        labels = [piece for piece in block.body if piece.text in words.GROUP_LABELS]
        self._ledger.claim_all(labels, "keyword_grant", "reference")


# --- taking a rule apart --------------------------------------------------------------------------------------------


def _flavour(body: list[Piece]) -> tuple[Piece | None, list[Piece]]:
    """The first paragraph where it only sets the mood: it names no game term and a rule follows."""
    if len(body) > 1 and _begins_with_flavour(body) and not _RULE_WORDS.search(body[0].text):
        return body[0], body[1:]
    return None, body


def _begins_with_flavour(body: Sequence[Piece]) -> bool:
    if len(body) < 2:
        return False
    first = body[0].text
    if first.startswith(("- ", "|")) or words.is_heading_form(first) or first.endswith(("|", ":")):
        return False
    return not _RULE_MARKS.search(first)


def _take_apart(name: str, body: Sequence[Piece], bullets_are_options: bool) -> _Rule:
    """A rule's own lines and its children, in order of print."""
    rule = _Rule(name)
    box: _Child | None = None
    seen: set[str] = set()
    for piece in body:
        text = piece.text
        if _is_table_rule(text):
            rule.plain.append(piece)
            rule.pieces.append(piece)
            continue
        if text in seen and not text.startswith("- "):
            rule.repeats.append(piece)
            continue
        seen.add(text)
        if words.is_capitals(text) and words.is_heading_form(text):
            box = _Child(text, [piece])
            rule.children.append(box)
        elif _run_on(text):
            _options_in_line(rule, piece, text)
        elif box is not None:
            _into_box(box, piece)
        else:
            rule.pieces.append(piece)
            _own_line(rule, piece, bullets_are_options)
    return rule


def _is_table_rule(text: str) -> bool:
    return bool(text) and set(text) <= {"|", " ", "-"} and "|" in text


def _run_on(text: str) -> bool:
    """Whether a line ends as an entry of an option list: `Name flavour rule |`."""
    return text.endswith(" |") and not text.startswith("|")


def _into_box(box: _Child, piece: Piece) -> None:
    box.pieces.append(piece)
    note = _NOTE.fullmatch(piece.text)
    if note:
        box.flavour = note["text"].strip()
    else:
        box.lines.append(piece.text)


def _own_line(rule: _Rule, piece: Piece, bullets_are_options: bool) -> None:
    """A line of the rule itself; options and granted abilities in it become children as well."""
    before = rule.lines[-1] if rule.lines else ""
    rule.lines.append(piece.text)
    for opening, part in _parts(piece.text, before):
        if _GRANT.search(opening):
            pair = named(part)
            if pair:
                rule.children.append(_Child(pair[0], [piece], [pair[1]]))
        elif bullets_are_options and part.startswith("- "):
            _bullet_option(rule, piece, part)


def _parts(text: str, before: str) -> Iterator[tuple[str, str]]:
    """(what stands before, part) for the parts of a line stuck together: a bullet or an ability after a sentence."""
    places = sorted(
        {
            match.start()
            for pattern in (_GLUED_BULLET, _GLUED_GRANT)
            for match in pattern.finditer(text)
            if match.start()
        }
    )
    bounds = [0, *places, len(text)]
    opening = before
    for low, high in pairwise(bounds):
        part = text[low:high].strip()
        yield opening, part
        opening = part


def _bullet_option(rule: _Rule, piece: Piece, part: str) -> None:
    text = _BULLET.sub("", part)
    pair = named(text)
    chosen = _CHOICE.search("\n".join(_own_paragraphs(rule, part)))
    if pair and not pair[0].startswith("["):
        rule.children.append(_Child(pair[0], [piece], [pair[1]]))
    elif chosen:
        number = sum(1 for child in rule.children if child.name.startswith(f"{rule.name} (option ")) + 1
        rule.children.append(_Child(f"{rule.name} (option {number})", [piece], [text]))


def _own_paragraphs(rule: _Rule, part: str) -> list[str]:
    """The last paragraph before a run of bullets, which says what the bullets are."""
    for line in reversed(rule.lines):
        if not line.startswith("- "):
            return [line.split(part)[0]]
    return []


def _options_in_line(rule: _Rule, piece: Piece, text: str) -> None:
    """`... ability:Name Flavour. Rule. |` - the last part of the line is an option, what comes before is the rule's."""
    own, option = _cut_option(text.removesuffix("|").strip(), bool(rule.children))
    if own:
        rule.pieces.append(piece)
        rule.lines.append(own)
    order = words.ORDER.fullmatch(option)
    if order:
        rule.children.append(_Child(order["name"], [piece], [order["changes"].strip()]))
        return
    child = _named_option(option, "\n".join(rule.lines))
    if child is None:
        rule.lines.append(option)
        rule.pieces.append(piece)
        return
    child.pieces.append(piece)
    rule.children.append(child)


def _cut_option(text: str, follows_option: bool) -> tuple[str, str]:
    """(rule's own text, option). The option is stuck to the rule at the first place without a blank."""
    if follows_option:
        return "", text
    match = re.search(r"(?<=[.:!?])(?=[A-Z])", text)
    return (text[: match.start()], text[match.start() :]) if match else ("", text)


def _named_option(text: str, announced: str) -> _Child | None:
    """Name, flavour and rule of an option that runs on in one line; None where the name cannot be told."""
    listed = text.split()
    end = _announced_end(listed, announced)
    if end is None:
        end = next(
            (
                index
                for index, word in enumerate(listed)
                if index and word.strip(".,:").lower() in _SENTENCE_STARTS and word[0].isupper()
            ),
            None,
        )
    if end is None or end > 6 or not words.is_name_form(" ".join(listed[:end])):
        return None
    name = " ".join(listed[:end]).rstrip(":")
    rest = " ".join(listed[end:])
    start = _RULE_START.search(rest)
    if start is None:
        return _Child(name, [], [rest]) if rest else None
    flavour = rest[: start.start()].strip() or None
    return _Child(name, [], [rest[start.start() :].strip()], flavour)


def _announced_end(listed: Sequence[str], announced: str) -> int | None:
    """Where the name ends, if its last word is the noun that the rule announced (`select one of the X Stances`)."""
    nouns = {word.rstrip("s") for word in re.findall(r"\b[A-Z][\w'-]+s\b", announced)}
    for index, word in enumerate(listed[:6]):
        if not word[0].isupper():
            return None
        if word in nouns and index:
            return index + 1
    return None


# --- storing --------------------------------------------------------------------------------------------------------


def _store(
    ledger: Ledger,
    table: str,
    section: str,
    heading: Piece,
    rule: _Rule,
    flavour: Piece | None,
    common: dict[str, str | None],
    lost: bool = False,
) -> int:
    index, new = ledger.once(
        table,
        heading,
        name=rule.name,
        parent=None,
        text="\n".join(rule.lines),
        flavour=flavour.text if flavour else None,
        has_lost_text=lost or lost_in_text(rule.raw()),
        **common,
    )
    said: Disposition = "parsed" if new else "repeat"
    ledger.claim(heading, section, said, table, index)
    ledger.claim_all(rule.repeats, section, "repeat", table, index)
    for piece in rule.pieces:
        if piece not in rule.plain:
            ledger.claim(piece, section, said, table, index)
    ledger.claim_all(rule.plain, section, "decoration")
    return index


def _children(ledger: Ledger, table: str, section: str, rule: _Rule, common: dict[str, str | None]) -> None:
    for child in rule.children:
        if not child.lines:
            for piece in child.pieces:
                ledger.refuse(piece, section, f"{child.name} has no text")
            continue
        lost = lost_in_text([(line, line) for line in child.lines])
        index, new = ledger.once(
            table,
            child.pieces[0],
            name=child.name,
            parent=rule.name,
            text="\n".join(child.lines),
            flavour=child.flavour,
            has_lost_text=lost,
            **common,
        )
        ledger.claim_all(child.pieces, section, "parsed" if new else "repeat", table, index)
