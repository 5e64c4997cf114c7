"""A text cut into lines, bullets and options, read in order.

Belongs here: layout, alternatives and their tokens, what an unread sentence takes with it. Does not belong here: sentences.

What is refused: a sentence with a stretch that the grammar does not read is not understood, and gives no effect. It takes
with it every sentence that it may touch: those before it when it points back (`instead`, `that attack`, `such`), those
after it when they point back. What stands is what reads the same with the unread sentence gone; `stopped_at` names it.
"""

import re
from dataclasses import replace

from pipelines.rules_text import vocabulary
from pipelines.rules_text.discourse import Discourse, Frame, NotUnderstood
from pipelines.rules_text.model import Effect, RuleText
from pipelines.rules_text.normalise import sentences
from pipelines.rules_text.sentence import SentenceReader
from pipelines.rules_text.tokens import dedupe

_BACK = re.compile(
    r"\binstead\b|\bthat attack\b|\bthose attacks\b|\bsuch\b|\bas well\b|\bthis (?:ability|Enhancement|rule|Stratagem)\b|\bthose\b|\badditional\b"
    r"|\bselected\b|\bthe result\b|\bcumulative\b|\bthat (?:re-roll|roll|bonus|modifier)\b|\bif it does\b|\bif you do\b|\bthis effect\b",
    re.IGNORECASE,
)


_GRANTED = re.compile(
    r"^([A-Z][\w' \-!,]{2,60}?) ?: (?=(?:Each|While|In|At|If|Models?|Once|Add|Subtract|This|The|Weapons|Ranged|Melee|When|After|Until|Improve|Enemy|Friendly|You|All|Your) )(.*)$",
    re.DOTALL,
)


class Document:
    """A text cut into lines, bullets and options, read in order."""

    def __init__(self, rule: RuleText) -> None:
        self.rule = rule
        self.unread: list[str] = []
        self.reader = SentenceReader(Discourse(rule))

    @property
    def d(self) -> Discourse:
        return self.reader.d

    def read_sentence(self, sentence: str) -> bool:
        """One sentence; False if it could not be read and may touch an attack."""
        if _is_comment(sentence):
            return True
        try:
            self.reader.read(sentence)
        except NotUnderstood as stop:
            if vocabulary.unexplained(sentence) is None and not self._would_hold(sentence):
                self.d.harmless.append(sentence)
                self.reader.note_harmless(sentence, Frame())
                return True
            self._refuse(sentence, str(stop))
            return False
        return True

    @staticmethod
    def _would_hold(sentence: str) -> bool:
        return bool(re.search(r"\binstead\b", sentence)) and not re.search(r"\b(?:can|must|is|are)\b", sentence)

    def _refuse(self, sentence: str, stop: str) -> None:
        self.unread.append(stop or sentence)
        if _BACK.search(sentence):
            # What it points back to is not known: every effect of this block falls with it.
            del self.d.effects[self.d.sentence_start :]
        self.d.previous = None
        self.d.that = None
        self.d.enemy = None
        self.d.weapons = None
        self.d.chosen = None

    def read_line(self, line: str) -> None:
        """The sentences of a line; a name printed before the first (`Null Field (Aura): While ...`) names what it grants."""
        named = _GRANTED.match(line)
        if named:
            self._begin_granted(named.group(1).strip())
            line = named.group(2)
        kept = self.d.requires
        if named and vocabulary.is_keyword(named.group(1).strip()):
            self.d.requires = dedupe((*kept, f"unit_keyword:{named.group(1).strip()}"))  # `NURGLE: Each time ...`
        for sentence in sentences(line):
            self.read_sentence(sentence)
        self.d.requires = kept

    def _begin_granted(self, name: str) -> None:
        self.d.source_name = name
        self.d.previous = None
        self.d.subject = None
        self.d.sentence_start = len(self.d.effects)

    def read_body(self, text: str) -> None:
        """All lines of a text: plain lines, bullets under a head, options."""
        lines = [line for line in text.split("\n") if line.strip()]
        index = 0
        while index < len(lines):
            line = lines[index]
            bullets: list[str] = []
            follow = index + 1
            while follow < len(lines) and lines[follow].startswith("- "):
                bullets.append(lines[follow][2:].strip())
                follow += 1
            if not bullets and _offers_choice(line):
                while follow < len(lines) and _GRANTED.match(lines[follow]):
                    bullets.append(lines[follow])
                    follow += 1
            if bullets and not line.startswith("- "):
                self.read_list(line, bullets)
                index = follow
                continue
            heads = _option_headings(lines, index)
            if heads and _offers_choice(line):
                self.read_line(line)
                index = self.read_options(lines, heads)
                continue
            bare = line.lstrip("|- ").strip()
            if _is_heading(bare) and index + 1 < len(lines) and not line.startswith("- "):
                self._begin_granted(bare)
                flavour = (
                    index + 2 < len(lines) and _is_flavour(lines[index + 1]) and not lines[index + 2].startswith("- ")
                )
                index += 2 if flavour else 1
                continue
            self.read_line(bare)
            index += 1

    def read_list(self, head: str, bullets: list[str]) -> None:
        """Bullets under a head: alternatives when the head offers a choice, else sentences that share the head's words."""
        *before, last = sentences(head) or [""]
        offered = _keyword_bullets(bullets)
        if offered is not None:
            self.d.chosen, self.d.chosen_tokens = offered
            for sentence in (*before, last.rstrip(":")):
                self.read_sentence(sentence)
            return
        rolls = _roll_bullets(last, bullets)
        if rolls is not None:
            for sentence in (*before, last.rstrip(":")):
                self.read_sentence(sentence)
            self._substitute(rolls)
            return
        for sentence in before:
            self.read_sentence(sentence)
        if _offers_choice(head):
            if not last.endswith(":") or not _offers_choice(last):
                self.read_sentence(last.rstrip(":"))
            elif vocabulary.unexplained(last) is not None or True:
                self._read_choice_head(last)
            self._alternatives(bullets)
            return
        lead = last.rstrip(":")
        if last.endswith(":") and not _is_clause_head(lead):
            for bullet in bullets:
                for number, sentence in enumerate(sentences(bullet)):
                    named = re.match(r"([A-Z][\w' \-!]+): (.*)", sentence)
                    rest = named.group(2) if named and not re.match(r"[A-Z]{2}", sentence) else sentence
                    self.read_sentence(f"{lead}, {rest}" if number == 0 else rest)
            return
        self.read_sentence(lead)
        for bullet in bullets:
            self.read_line(bullet)

    def _substitute(self, rolls: list[str]) -> None:
        """A die of a pool may stand for these rolls."""
        requires = (f"unit_ability:{self.rule.name}",)
        for roll in rolls:
            side = "defender" if roll == "save" else "attacker"
            self.d.effects.append(
                Effect(side, "any", "any", "substitute_roll", {"roll": roll}, self.d.conditions, requires, scope="unit")
            )

    def _read_choice_head(self, last: str) -> None:
        prefix = re.split(r",? ?(?:you can |you must )?(?:select|choose|apply) one", last, maxsplit=1)[0]
        if prefix:
            try:
                self.reader.read(prefix)
            except NotUnderstood as stop:
                if vocabulary.unexplained(prefix):
                    self._refuse(prefix, str(stop))

    def _alternatives(self, bullets: list[str]) -> None:
        saved = replace(self.d)
        for number, bullet in enumerate(bullets, start=1):
            name, text = _bullet_name(bullet)
            self._option(number, name, [text], saved)
        self.d.choice_group, self.d.conditions, self.d.source_name = (
            saved.choice_group,
            saved.conditions,
            saved.source_name,
        )

    def _option(self, number: int, name: str | None, lines: list[str], saved: Discourse) -> None:
        token = option_token(self.rule, name, number)
        self.d.choice_group = "one"
        shared = saved.previous.conditions if saved.previous is not None else []
        self.d.conditions = dedupe((*saved.conditions, *shared, token))
        self.d.source_name = name
        self.d.sentence_start = len(self.d.effects)
        self.d.previous = saved.previous
        self.d.that, self.d.enemy, self.d.friend = saved.that, saved.enemy, saved.friend
        self.d.subject, self.d.weapons = saved.subject, saved.weapons
        self.read_body("\n".join(lines))

    def read_options(self, lines: list[str], heads: list[int]) -> int:
        """Options under headings; returns the index of the line after the last of them."""
        saved = replace(self.d)
        stops = [*heads[1:], len(lines)]
        for number, (start, stop) in enumerate(zip(heads, stops, strict=True), start=1):
            name = lines[start].strip("| ").strip()
            body = lines[start + 1 : stop]
            if len(body) > 1 and _is_flavour(body[0]):
                body = body[1:]
            self._option(number, name, [line.lstrip("| ") for line in body], saved)
        self.d.choice_group, self.d.conditions, self.d.source_name = (
            saved.choice_group,
            saved.conditions,
            saved.source_name,
        )
        return len(lines)


def option_token(rule: RuleText, name: str | None, number: int) -> str:
    """The condition under which an option of a rule is in force."""
    if name is None:
        return f"option_selected:{number}"
    if re.search(r"\bOrders?\b|Voice of Command", rule.name):
        return f"order_active:{name}"
    if re.search(r"Oaths?\b|Chivalric", rule.name):
        return f"oath_active:{name}"
    return f"stance_active:{name}" if rule.origin in {"army_rule", "detachment_rule"} else f"option_selected:{number}"


def parent_token(rule: RuleText) -> str | None:
    """The condition under which a text that belongs to another rule is in force."""
    if rule.parent is None and rule.kind not in {"stance", "order", "oath"}:
        return None
    about = f"{rule.kind or ''} {rule.parent or ''}"
    if rule.kind == "order" or re.search(r"\borders?\b|Voice of Command", about, re.IGNORECASE):
        return f"order_active:{rule.name}"
    if rule.kind == "oath" or re.search(r"\boaths?\b|Chivalric", about, re.IGNORECASE):
        return f"oath_active:{rule.name}"
    if rule.kind == "stance" or re.search(r"Ka'tah|Stance|Doctrine|Tactic", about.replace("’", "'")):
        return f"stance_active:{re.sub(r' Stance$', '', rule.name)}"
    if rule.kind == "option":
        return f"option_selected:{rule.name}"
    if rule.kind == "granted" or re.search(r"\(Aura|Saga\b|^(?:RESTRICTIONS|KEYWORDS|DESIGNER)", rule.name):
        return None  # granted abilities and notes are in force without being chosen
    return f"stance_active:{rule.name}"


def _offers_choice(line: str) -> bool:
    return bool(
        re.search(
            r"select(?:s|ed)? (?:either|one|up to \w+|two|and resolve one) (?:or more |or both )?(?:of )?(?:the |these |of )*(?:following|bullet points|[\w' \-]+ (?:listed )?below|options|abilities)"
            r"|(?:choose|select|use|apply|activate|gains?|has) (?:one|either) of the [\w' \-]*(?:below|following)|one of the following",
            line,
            re.IGNORECASE,
        )
    )


def _is_clause_head(text: str) -> bool:
    return bool(
        re.search(
            r"\bthe following (?:abilities|ability|effects|rules|units|models|keywords)$|\bas follows$|\bbelow$", text
        )
    )


def _roll_bullets(head: str, bullets: list[str]) -> list[str] | None:
    """The rolls of an attack among bullets that name the kinds of roll a die of a pool may stand for; None if they do not."""
    if not re.search(r"\bdice\b.*\bfollowing types of (?:dice )?rolls?:?$", head):
        return None
    names = {"hit roll": "hit", "wound roll": "wound", "damage roll": "damage", "saving throw": "save"}
    return [names[bullet.strip(" .").lower()] for bullet in bullets if bullet.strip(" .").lower() in names]


def _keyword_bullets(bullets: list[str]) -> tuple[list[str], tuple[str, ...]] | None:
    """Weapon abilities that bullets offer, with the result of the die that gives each; None if the bullets are sentences."""
    found = [
        re.fullmatch(r"(?:(\d(?:-\d)?\+?): )?(\[[^\]]+\])(?: ability)?[.;,]?(?: or| and)?", bullet)
        for bullet in bullets
    ]
    if not all(found):
        return None
    keywords = [match.group(2) for match in found if match]
    tokens = tuple(f"roll:{match.group(1)}" for match in found if match and match.group(1))
    return keywords, tokens if len(tokens) == len(keywords) else ()


def _bullet_name(bullet: str) -> tuple[str | None, str]:
    named = re.match(r"([A-Z][\w' \-!,]{2,60}?): (.+)", bullet, re.DOTALL)
    if named and not re.search(r"\b(?:unit|model|phase|attack|weapons?)\b", named.group(1)):
        return named.group(1), named.group(2)
    return None, bullet


def _option_headings(lines: list[str], index: int) -> list[int]:
    """Indexes of the headings after this line: short lines of a title's shape without a final stop."""
    return [number for number in range(index + 1, len(lines)) if _is_heading(lines[number]) and number + 1 < len(lines)]


def _is_heading(line: str) -> bool:
    bare = line.strip("| ")
    return (
        bool(bare)
        and len(bare) <= 48
        and not re.search(r"[.:;]$", bare)
        and bool(re.match(r"[A-Z0-9]", bare))
        and len(bare.split()) <= 7
    )


def _is_flavour(line: str) -> bool:
    return not re.search(
        r"\d|\[|\b(?:unit|units|models?|roll|phase|characteristic|this (?:army|unit|model))\b|\b[A-Z]{3,}\b", line
    )


def _is_comment(sentence: str) -> bool:
    return bool(re.match(r"(?:Designer's Note|Example|Note)\b", sentence))
