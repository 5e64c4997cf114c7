"""The stupid model: a resolve case worked face by face in exact fractions.

Belongs here: an independent reading of the attack rules, written so that each line can be held against one sentence
of the rules. Every die is a loop over its faces, every attack is made one after the other against an explicit state of
the target unit, and nothing is summed by a formula. It is slow and is meant for small cases.

Does not belong here: numpy, closed forms, anything imported from the product (this module must not share its mistakes),
and the checking of malformed input - a case given here is taken to be valid.

The state of a target unit is a tuple with, for each group of models in the order given, ``(models left, wounds lost by
the model in front)``, and beside it the damage packets of Devastating Wounds that still wait for their turn.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from math import ceil
from typing import Any, TypeVar

Case = Mapping[str, Any]
Row = Mapping[str, Any]
T = TypeVar("T", bound=Hashable)
Dist = dict[T, Fraction]
Unit = tuple[tuple[int, int], ...]
"""One ``(models left, wounds lost by the model in front)`` for each group of the target."""

FACES = (1, 2, 3, 4, 5, 6)
SIXTH = Fraction(1, 6)
MISS, SUCCESS, CRITICAL = "fails", "succeeds", "succeeds critically"


# --- dice ------------------------------------------------------------------------------------------------------------


def certain(value: T) -> Dist[T]:
    return {value: Fraction(1)}


def collect(pairs: Iterable[tuple[T, Fraction]]) -> Dist[T]:
    """Add up the chances of equal outcomes."""
    total: dict[T, Fraction] = defaultdict(Fraction)
    for value, chance in pairs:
        if chance:
            total[value] += chance
    return dict(total)


def mean(dist: Mapping[Any, Fraction]) -> Fraction:
    return sum((value * chance for value, chance in dist.items()), Fraction(0))


@cache
def rolled(text: str) -> tuple[tuple[int, Fraction], ...]:
    """Every result of a dice text (``2D6+1``) with its chance. A D3 is a D6 halved, rounded up."""
    match = re.fullmatch(r"(?:(\d*)D([36]))?\s*\+?\s*(-?\d+)?", text.strip().upper())
    assert match and text.strip(), text
    count = 0 if match[2] is None else int(match[1] or 1)
    totals = certain(int(match[3] or 0))
    for _ in range(count):
        totals = collect(
            (so_far + (face if match[2] == "6" else ceil(face / 2)), chance * SIXTH)
            for so_far, chance in totals.items()
            for face in FACES
        )
    return tuple(sorted(totals.items()))


def rolled_again(text: str, rerolls: str | None) -> Dist[int]:
    """A rolled number whose dice may be rolled again, all together.

    ``ones``: where the dice show 1 (whatever the text adds to them); ``any``: results below the mean.
    """
    results = dict(rolled(text))
    average = mean(results)
    added = int(text.upper().partition("+")[2] or 0)

    def second_throws() -> Iterator[tuple[int, Fraction]]:
        for first, chance in results.items():
            again = (rerolls == "any" and first < average) or (
                rerolls == "ones" and first - added == 1 and len(results) > 1
            )
            for second, other in (results if again else certain(first)).items():
                yield second, chance * other

    return collect(second_throws())


def one_die(outcome: Callable[[int], str], rerolls: Callable[[int, str], bool]) -> Dist[str]:
    """A D6 judged by its unmodified face; a die that ``rerolls`` names is thrown once more and then stands."""

    def throws() -> Iterator[tuple[str, Fraction]]:
        for face in FACES:
            first = outcome(face)
            if rerolls(face, first):
                for second in FACES:
                    yield outcome(second), SIXTH * SIXTH
            else:
                yield first, SIXTH

    return collect(throws())


# --- what the rules in force say about one attack --------------------------------------------------------------------


@dataclass(frozen=True)
class Keyword:
    """A weapon keyword: ``sustained hits`` with ``D3``, ``anti`` with a keyword and a threshold."""

    name: str
    value: str = ""
    against: str = ""
    threshold: int = 7


@cache
def keyword_of(text: str) -> Keyword:
    if match := re.fullmatch(r"anti-(.+) (\d)\+", text):
        return Keyword("anti", against=match[1].upper(), threshold=int(match[2]))
    if match := re.fullmatch(r"(rapid fire|sustained hits|melta) (.+)", text):
        return Keyword(match[1], value=match[2].upper())
    return Keyword(text)


def granted_keyword(params: Row) -> Keyword:
    if params["keyword"].startswith("anti"):
        against = params.get("target_keyword") or params["keyword"].removeprefix("anti-")
        return Keyword("anti", against=against.upper(), threshold=int(str(params["value"]).rstrip("+")))
    return Keyword(params["keyword"], value=str(params.get("value") or "").upper())


@dataclass(frozen=True)
class Ruling:
    """One weapon of a case (``place``: which) with the effect rows that touch it.

    ``on_critical_wound`` are the rows that need a Critical Wound.
    """

    case: Case
    attack: Row
    place: int
    rows: tuple[Row, ...]
    on_critical_wound: tuple[Row, ...] = ()

    @property
    def ranged(self) -> bool:
        return bool(self.attack["attack_type"] == "ranged")

    def flag(self, name: str) -> bool:
        return bool(self.case.get("scenario", {}).get(name, name == "use_precision"))

    def of(self, kind: str, **wanted: str) -> list[Row]:
        """The params of the rows of a kind, restricted to the given params."""
        rows = [row["params"] for row in self.rows if row["kind"] == kind]
        return [params for params in rows if all(params.get(name) == value for name, value in wanted.items())]

    def deltas(self, stat: str) -> list[int]:
        return [params["delta"] for params in self.of("modify", stat=stat)]

    def keywords(self, name: str) -> list[Keyword]:
        printed = [keyword_of(text) for text in self.attack.get("keywords", [])]
        granted = [granted_keyword(params) for params in self.of("grant_keyword")]
        return [keyword for keyword in printed + granted if keyword.name == name]

    def has(self, name: str) -> bool:
        return bool(self.keywords(name))

    def larger(self, name: str) -> str | None:
        """The same ability twice does not add up: the larger value counts, random ones by their mean."""
        values = [keyword.value for keyword in self.keywords(name)]
        return max(values, key=lambda value: mean(dict(rolled(value))), default=None)

    def ignores(self, stat: str) -> bool:
        return any(stat in params["stats"] for params in self.of("ignore_modifiers"))

    def modifier(self, roll: str, extra: Iterable[int]) -> int:
        """The sum of the modifiers of a hit or wound roll, held to -1..+1; penalties that may be ignored are."""
        parts = [*self.deltas(f"{roll}_roll"), *extra]
        if self.ignores(f"{roll}_roll"):
            parts = [part for part in parts if part > 0]
        return max(-1, min(1, sum(parts)))

    def characteristic(self, stat: str, printed: int, better: int) -> int:
        """A printed number after its changes (``better``: the sign of an improvement, for ignored modifiers)."""
        values = [params["value"] for params in self.of("set", stat=stat)]
        deltas = self.deltas(stat)
        if self.ignores(stat):
            deltas = [delta for delta in deltas if delta * better > 0]
        return int(values[-1] if values else printed) + sum(deltas)

    # the unit that is attacked

    @property
    def models(self) -> Sequence[Row]:
        models: Sequence[Row] = self.case["target"]["models"]
        return models

    @property
    def strength(self) -> int:
        return max(1, self.characteristic("S", self.attack["strength"], better=1))

    @property
    def toughness(self) -> int:
        """The highest of the bodyguard's models (of all, where there is no bodyguard)."""
        bodyguard = [model for model in self.models if model.get("role", "bodyguard") == "bodyguard"]
        return max(1, self.characteristic("T", max(m["toughness"] for m in bodyguard or self.models), better=1))


def touches(row: Row, case: Case, attack: Row) -> bool:
    """Whether an effect row touches this attack, conditions on the dice apart."""
    kind = attack["attack_type"]
    in_phase = row.get("phase") in (None, "any", {"ranged": "shooting", "melee": "fight"}[kind])
    of_type = row.get("attack_type") in (None, "any", kind)
    wanted = row.get("weapon_filter")
    named = wanted is None or wanted.lower() in (kind, str(attack.get("name", "")).lower())
    return in_phase and of_type and named and all(holds(token, case, attack) for token in row.get("condition") or [])


def beyond_12(case: Case, attack: Row) -> bool:
    """Whether the attack is made at more than 12 inches: no hold on a weapon that does not reach that far."""
    reach = attack.get("range_in")
    reaches = attack["attack_type"] == "ranged" and (reach is None or reach > 12)
    return reaches and bool(case.get("scenario", {}).get("beyond_12"))


def holds(token: str, case: Case, attack: Row) -> bool:
    """Whether a condition holds; one that the case cannot decide does."""
    name, _, value = token.partition(":")
    scenario = case.get("scenario", {})
    target = {keyword.upper() for keyword in case["target"].get("keywords", [])}
    if name == "any_of":
        return any(holds(part, case, attack) for part in value.split("|"))
    decided = {
        "within_half_range": bool(scenario.get("half_range")),
        "charging": bool(scenario.get("charging")),
        "stationary": bool(scenario.get("stationary")),
        "psychic_attack": "psychic" in attack.get("keywords", []),
    }
    if name in decided:
        return decided[name]
    models = case["target"]["models"]
    if sum(model["count"] for model in models) == 1 and "wounds_lost" in models[0]:  # its state is told
        lost = models[0]["wounds_lost"]
        if name == "target_below_starting_strength":
            return bool(lost > 0)
        if name == "target_below_half_strength":
            return bool(2 * (models[0]["wounds"] - lost) < models[0]["wounds"])
    if name == "target_farther_than" and value == "12":
        return beyond_12(case, attack)
    if name == "target_keyword":
        return value in target
    if name == "target_keyword_any":
        return bool(target & set(value.split("|")))
    if name == "target_not_keyword_any":
        return not target & set(value.split("|"))
    return True


def numbered_effects(case: Case) -> list[Row]:
    """The effect rows with their place, from 1, which ``instead_of`` names."""
    return [{"effect_index": place} | row for place, row in enumerate(case.get("effects", []), start=1)]


def in_force(rows: Sequence[Row]) -> list[Row]:
    """Of rows that touch an attack, those in force: none that another replaces, and of alternatives the first."""
    replaced = {row["instead_of"] for row in rows if row.get("instead_of") is not None}
    kept: list[Row] = []
    for row in rows:
        group = row.get("choice_group")
        taken = group is not None and any(other.get("choice_group") == group for other in kept)
        if row["effect_index"] not in replaced and not taken:
            kept.append(row)
    return kept


def ruling(case: Case, place: int) -> Ruling:
    """The rules for the weapon at a place of the case."""
    attack = case["attacks"][place]
    rows = in_force([row for row in numbered_effects(case) if touches(row, case, attack)])
    sure = [row for row in rows if "critical_wound" not in (row.get("condition") or [])]
    critical = tuple(row for row in rows if "critical_wound" in (row.get("condition") or []))
    stronger = "strength_greater_than_toughness"
    plain = tuple(row for row in sure if stronger not in (row.get("condition") or []))
    base = Ruling(case, attack, place, plain, critical)
    if base.strength > base.toughness:  # Strength and Toughness after their own changes
        return replace(base, rows=tuple(sure))
    return base


# --- one attack: hit and wound ---------------------------------------------------------------------------------------


def can_attack(rule: Ruling) -> bool:
    """Overwatch is shooting; out of sight only Indirect Fire reaches, and no Torrent; Blast spares engaged units."""
    if not rule.ranged:
        return not rule.flag("overwatch") and not rule.flag("hidden")
    if rule.flag("hidden") and (not rule.has("indirect fire") or rolls_no_hit(rule)):
        return False
    return not (rule.flag("engaged") and rule.has("blast"))


def number_of_attacks(rule: Ruling) -> Dist[int]:
    """Attacks of all bearers, each of whom rolls his own number."""
    if not can_attack(rule):
        return certain(0)
    size = sum(model["count"] for model in rule.models)
    extra_attacks = rule.has("extra attacks")  # changed only by rules that name the weapon
    named = [row for row in rule.rows if not extra_attacks or row.get("weapon_filter") not in (None, "melee")]
    changes = replace(rule, rows=tuple(named))
    rerolls = "any" if rule.of("reroll", roll="attacks", which="any") else None
    rerolls = rerolls or ("ones" if rule.of("reroll", roll="attacks", which="ones") else None)
    rapid = rule.larger("rapid fire") if rule.ranged and rule.flag("half_range") else None
    blast = size // 5 if rule.has("blast") else 0

    def of_one_bearer() -> Iterator[tuple[int, Fraction]]:
        sets = [params["value"] for params in changes.of("set", stat="A")]
        text = str(sets[-1]) if sets else str(rule.attack["attacks"])
        for number, chance in rolled_again(text, rerolls).items():
            for extra, other in rolled(rapid or "0"):
                yield max(1, number + extra + blast + sum(changes.deltas("A"))), chance * other

    single = collect(of_one_bearer())
    total = certain(0)
    for _ in range(rule.attack.get("bearers", 1)):
        total = collect((a + b, p * q) for a, p in total.items() for b, q in single.items())
    return total


def rolls_no_hit(rule: Ruling) -> bool:
    return rule.attack["skill"] is None or rule.has("torrent")


def rerolls_of(rule: Ruling, roll: str, more: Iterable[str] = ()) -> Callable[[int, str], bool]:
    """Which dice are thrown again. ``failed`` is judged after modifiers; ``non_critical`` fishes for criticals."""
    ones = bool(rule.of("reroll", roll=roll, which="ones"))
    policies = {params.get("policy", "failed") for params in rule.of("reroll", roll=roll, which="any")} | set(more)

    def again(face: int, outcome: str) -> bool:
        if "non_critical" in policies and outcome != CRITICAL:
            return True
        return outcome == MISS and (bool(policies) or (ones and face == 1))

    return again


def hit_roll(rule: Ruling) -> Dist[str]:
    if rolls_no_hit(rule) or rule.of("auto", roll="hit"):
        return certain(SUCCESS)
    hidden = rule.flag("hidden") and rule.has("indirect fire")
    situation = [
        1 if rule.has("heavy") and rule.flag("stationary") else 0,
        -1 if rule.ranged and rule.of("stealth") else 0,
        -1 if hidden else 0,
        -1 if rule.ranged and rule.flag("engaged") and not rule.has("pistol") else 0,
    ]
    skill = max(2, rule.characteristic("BS" if rule.ranged else "WS", rule.attack["skill"], better=-1))
    modifier = rule.modifier("hit", situation)
    fails = max([1, 3 if hidden else 1, *(params["up_to"] for params in rule.of("always_fails", roll="hit"))])
    only_on = [params["threshold"] for params in rule.of("hit_only_on")]
    if rule.flag("overwatch") and not only_on:
        only_on = [6]
    earned = [p["threshold"] for p in rule.of("critical_on", roll="hit") if p.get("if_successful", True)]
    outright = [p["threshold"] for p in rule.of("critical_on", roll="hit") if not p.get("if_successful", True)]
    if rule.has("conversion") and beyond_12(rule.case, rule.attack):
        earned.append(4)

    def outcome(face: int) -> str:
        if only_on:
            succeeds = face >= min(only_on)
            critical = succeeds and face >= min([6, *earned, *outright])
        else:
            succeeds = face > fails and (face == 6 or face + modifier >= skill)
            critical = face == 6 or (succeeds and face >= min([7, *earned])) or face >= min([7, *outright])
        return CRITICAL if critical else SUCCESS if succeeds else MISS

    return one_die(outcome, rerolls_of(rule, "hit"))


def number_needed(strength: int, toughness: int) -> int:
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5


def wound_roll(rule: Ruling, extra_strength: int = 0) -> Dist[str]:
    if rule.of("auto", roll="wound"):
        return certain(SUCCESS)
    need = number_needed(rule.strength + extra_strength, rule.toughness)
    modifier = rule.modifier("wound", [1 if rule.has("lance") and rule.flag("charging") else 0])
    target = {keyword.upper() for keyword in rule.case["target"].get("keywords", [])}
    outright = [keyword.threshold for keyword in rule.keywords("anti") if keyword.against in target]
    outright += [p["threshold"] for p in rule.of("critical_on", roll="wound") if not p.get("if_successful", False)]
    earned = [p["threshold"] for p in rule.of("critical_on", roll="wound") if p.get("if_successful", False)]
    fails = max([1, *(params["up_to"] for params in rule.of("always_fails", roll="wound"))])

    def outcome(face: int) -> str:
        succeeds = face > fails and (face == 6 or face + modifier >= need)
        critical = face == 6 or face >= min([7, *outright]) or (succeeds and face >= min([7, *earned]))
        return CRITICAL if critical else SUCCESS if succeeds else MISS

    scenario = rule.case.get("scenario", {})
    twin = [scenario.get("twin_linked_policy") or "failed"] if rule.has("twin-linked") else []
    return one_die(outcome, rerolls_of(rule, "wound", twin))


@dataclass(frozen=True)
class Wound:
    """A successful wound: on a Critical Hit, with a Critical Wound, or with no roll."""

    critical_hit: bool
    critical_wound: bool


def one_attack(rule: Ruling) -> Dist[tuple[tuple[str, ...], tuple[Wound, ...]]]:
    """``(hit outcomes, wounds)`` of one attack: the hit roll, its extra hits, and the wound roll of each."""
    sustained = rule.larger("sustained hits")
    bonus_strength = sum(p["delta"] for p in rule.of("critical_bonus", roll="hit") if p["stat"] == "S")
    ordinary, stronger = wound_roll(rule), wound_roll(rule, bonus_strength)
    result: list[tuple[tuple[tuple[str, ...], tuple[Wound, ...]], Fraction]] = []

    def wounds(rolls: Sequence[Dist[str]], first_critical: bool, before: tuple[Wound, ...]) -> Dist[tuple[Wound, ...]]:
        sequences = certain(before)
        for index, roll in enumerate(rolls):
            critical_hit = first_critical and index == 0 and not before
            sequences = collect(
                (
                    so_far if outcome == MISS else (*so_far, Wound(critical_hit, outcome == CRITICAL)),
                    chance * other,
                )
                for so_far, chance in sequences.items()
                for outcome, other in roll.items()
            )
        return sequences

    for outcome, chance in hit_roll(rule).items():
        if outcome == MISS:
            result.append((((), ()), chance))
        elif outcome == SUCCESS:
            result += [(((SUCCESS,), w), chance * p) for w, p in wounds([ordinary], False, ()).items()]
        else:
            for extra, share in rolled(sustained or "0"):
                hits = (CRITICAL,) + (SUCCESS,) * extra
                if rule.has("lethal hits"):  # compulsory; its automatic wound is no Critical Wound
                    after = wounds([ordinary] * extra, False, (Wound(True, False),))
                else:
                    after = wounds([stronger] + [ordinary] * extra, True, ())
                result += [((hits, w), chance * share * p) for w, p in after.items()]
    return collect(result)


# --- one wound: save, damage, Feel No Pain ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Packet:
    """A wound to be saved and its damage: all that its allocation needs to know."""

    armour_penetration: int
    damage: tuple[tuple[int, Fraction], ...]
    precision: bool
    mortal: bool  # Devastating Wounds: no save, after all other attacks, Feel No Pain against mortal wounds applies
    weapon: int
    changed_by_critical: bool
    bonus_of_critical_hit: bool
    rule: Ruling = field(compare=False)


def packet(rule: Ruling, wound: Wound) -> Packet:
    if wound.critical_wound:
        rule = replace(rule, rows=rule.rows + rule.on_critical_wound)
    bonus = [p for p in rule.of("critical_bonus", roll="hit") if wound.critical_hit]
    bonus += [p for p in rule.of("critical_bonus", roll="wound") if wound.critical_wound]
    extra = {stat: sum(p["delta"] for p in bonus if p["stat"] == stat) for stat in ("AP", "D")}
    penetration = rule.characteristic("AP", rule.attack["armour_penetration"], better=-1) + extra["AP"]
    return Packet(
        armour_penetration=min(0, penetration),
        damage=damage(rule, extra["D"]),
        precision=rule.has("precision") and rule.flag("use_precision") and not rule.flag("hidden"),
        mortal=wound.critical_wound and rule.has("devastating wounds"),
        weapon=rule.place,
        changed_by_critical=wound.critical_wound and bool(rule.on_critical_wound),
        bonus_of_critical_hit=wound.critical_hit and bool(rule.of("critical_bonus", roll="hit")),
        rule=rule,
    )


def damage(rule: Ruling, bonus: int) -> tuple[tuple[int, Fraction], ...]:
    """Damage as rolled and changed: replace, divide, add, subtract, round up; below 1 only if set to 0 and left so."""
    sets = [params["value"] for params in rule.of("set", stat="D")]
    text = str(sets[-1]) if sets else str(rule.attack["damage"])
    rerolls = "any" if rule.of("reroll", roll="damage", which="any") else None
    rerolls = rerolls or ("ones" if rule.of("reroll", roll="damage", which="ones") else None)
    melta = rule.larger("melta") if rule.ranged and rule.flag("half_range") else None
    deltas = [*rule.deltas("D"), *rule.deltas("damage_roll"), bonus]

    def results() -> Iterator[tuple[int, Fraction]]:
        for number, chance in rolled_again(text, rerolls).items():
            for extra, other in rolled(melta or "0"):
                value = Fraction(number, 2 ** len(rule.of("halve", stat="D")))
                added = extra + sum(delta for delta in deltas if delta > 0)
                changed = ceil(value + added + sum(delta for delta in deltas if delta < 0))
                lowest = 0 if sets and text == "0" and not added else 1
                yield max(lowest, changed), chance * other

    return tuple(sorted(collect(results()).items()))


def packets_of(rule: Ruling) -> dict[Wound, Packet]:
    kinds = [Wound(critical_hit, critical_wound) for critical_hit in (False, True) for critical_wound in (False, True)]
    return {wound: packet(rule, wound) for wound in kinds}


def versus(values: Any, wanted: Iterable[str]) -> bool:
    listed = [values] if isinstance(values, str) else list(values or ["any"])
    return bool({"any", *wanted} & set(listed))


def thresholds(field: Any, wanted: Iterable[str]) -> list[int]:
    """The thresholds of a model's ``invulnerable_save`` or ``feel_no_pain`` (number or list) that apply here."""
    if field is None:
        return []
    if isinstance(field, int):
        return [field]
    return [entry["threshold"] for entry in field if versus(entry.get("versus"), wanted)]


def save_fails(hit: Packet, model: Row) -> Fraction:
    """The chance that one save against this packet fails, the better of armour and invulnerable save."""
    rule = hit.rule
    if hit.mortal:
        return Fraction(1)
    armour = max(2, rule.characteristic("Sv", model["save"], better=-1))
    has_cover = rule.flag("cover") or rule.of("benefit_of_cover") or (rule.flag("hidden") and rule.has("indirect fire"))
    denied = not rule.ranged or rule.has("ignores cover") or rule.of("deny_cover")
    exempt = armour <= 3 and hit.armour_penetration == 0
    cover = 1 if has_cover and not denied and not exempt else 0
    of_roll = sum(rule.deltas("save_roll"))
    needs = [armour - min(1, hit.armour_penetration + cover + of_roll)]
    kinds = [rule.attack["attack_type"]]
    invulnerable = thresholds(model.get("invulnerable_save"), kinds)
    invulnerable += [p["threshold"] for p in rule.of("invulnerable_save") if versus(p.get("versus"), kinds)]
    needs += [threshold - min(1, of_roll) for threshold in invulnerable]
    fails = max([1, *(params["up_to"] for params in rule.of("always_fails", roll="save"))])

    def outcome(face: int) -> str:
        return SUCCESS if face > fails and face >= min(needs) else MISS

    return one_die(outcome, rerolls_of(rule, "save")).get(MISS, Fraction(0))


def point_lost(rows: Iterable[Row], model: Row, wanted: Sequence[str]) -> Fraction:
    """The chance that one point of damage goes through: one Feel No Pain, the best that applies."""
    best = thresholds(model.get("feel_no_pain"), wanted)
    best += [p["threshold"] for p in rows if versus(p.get("versus"), wanted)]
    return Fraction(sum(face < min([7, *best]) for face in FACES), 6)


def packet_point_lost(hit: Packet, model: Row) -> Fraction:
    wanted = ["mortal"] * hit.mortal + ["psychic"] * hit.rule.has("psychic")
    return point_lost(hit.rule.of("feel_no_pain"), model, wanted)


# --- allocation ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Group:
    """Models of one profile in the target: role, count, and wounds after changes."""

    model: Row
    leader: bool
    wounds: int


def groups_of(case: Case) -> list[Group]:
    def wounds(model: Row) -> int:
        rows = [row["params"] for row in case.get("effects", []) if row["kind"] in ("set", "modify")]
        sets = [params["value"] for params in rows if params["stat"] == "W" and "value" in params]
        deltas = [params["delta"] for params in rows if params["stat"] == "W" and "delta" in params]
        return max(1, (sets[-1] if sets else model["wounds"]) + sum(deltas))

    return [Group(m, m.get("role", "bodyguard") == "leader", wounds(m)) for m in case["target"]["models"]]


def chosen(unit: Unit, groups: Sequence[Group], leader_first: bool) -> int | None:
    """The group whose front model takes the next wound: bodyguard first unless Precision, a wounded model first."""
    alive = [index for index, (left, _) in enumerate(unit) if left]
    wanted = [index for index in alive if groups[index].leader == leader_first]
    eligible = wanted or alive
    wounded = [index for index in eligible if unit[index][1]]
    return next(iter(wounded or eligible), None)


def lose_one(unit: Unit, index: int, groups: Sequence[Group]) -> Unit:
    left, lost = unit[index]
    after = (left, lost + 1) if lost + 1 < groups[index].wounds else (left - 1, 0)
    return (*unit[:index], after, *unit[index + 1 :])


def take_packet(unit: Unit, hit: Packet, groups: Sequence[Group]) -> Dist[Unit]:
    """One packet: one model saves and takes the damage point by point; what exceeds its wounds is lost."""
    index = chosen(unit, groups, leader_first=hit.precision)
    if index is None:
        return certain(unit)
    model = groups[index].model
    through, point = save_fails(hit, model), packet_point_lost(hit, model)

    def outcomes() -> Iterator[tuple[Unit, Fraction]]:
        yield unit, 1 - through
        for points, chance in hit.damage:
            states = certain(unit)
            for _ in range(points):
                states = collect(
                    (after, p * q)
                    for before, p in states.items()
                    for after, q in (
                        ((lose_one(before, index, groups), point), (before, 1 - point))
                        if before[index][0] == unit[index][0]  # that very model is still there
                        else ((before, Fraction(1)),)
                    )
                )
            for after, p in states.items():
                yield after, through * chance * p

    return collect(outcomes())


def take_mortal_wounds(
    unit: Unit, number: int, rows: Sequence[Row], groups: Sequence[Group], from_attack: bool
) -> Dist[Unit]:
    """Mortal wounds from outside the weapon's damage, a point at a time: the next goes to the next model.

    From the last bodyguard they go on to the leader only when they come from an attack; otherwise the rest is lost,
    for the leader is a unit of its own by then.
    """

    def bodyguard(of: Unit) -> int:
        return sum(left for (left, _), group in zip(of, groups, strict=True) if not group.leader)

    states = certain(unit)
    for _ in range(number):
        outcomes: list[tuple[Unit, Fraction]] = []
        for before, chance in states.items():
            index = chosen(before, groups, leader_first=False)
            if index is None or (not from_attack and bodyguard(unit) and not bodyguard(before)):
                outcomes.append((before, chance))
                continue
            point = point_lost(rows, groups[index].model, ["mortal"])
            outcomes += [(lose_one(before, index, groups), chance * point), (before, chance * (1 - point))]
        states = collect(outcomes)
    return states


# --- mortal wounds from rules ----------------------------------------------------------------------------------------


def dice_that_succeed(success_on: Any) -> list[int]:
    text = str(success_on)
    if text == "auto":
        return list(FACES)
    if text.startswith("="):
        return [int(text[1:])]
    if "-" in text:
        low, high = text.split("-")
        return list(range(int(low), int(high) + 1))
    return [face for face in FACES if face >= int(text.rstrip("+"))]


EVENTS: Mapping[str, Callable[[Sequence[str], Sequence[Wound]], int]] = {
    "attack": lambda hits, wounds: 1,
    "hit": lambda hits, wounds: len(hits),
    "critical_hit": lambda hits, wounds: list(hits).count(CRITICAL),
    "wound": lambda hits, wounds: len(wounds),
    "critical_wound": lambda hits, wounds: sum(wound.critical_wound for wound in wounds),
    "critical": lambda hits, wounds: sum(wound.critical_wound for wound in wounds),
}
"""How often a mortal wounds row comes up in one attack, by its ``per``."""


def event_rows(rule: Ruling) -> list[Row]:
    return [row for row in rule.rows if row["kind"] == "mortal_wounds" and row["params"].get("per") in EVENTS]


def mortal_wounds(table: Sequence[Row], times: int = 1) -> Dist[int]:
    """How many mortal wounds a row inflicts in all, before Feel No Pain; several rows are the results of one die."""
    most = [int(row["params"]["max"]) for row in table if row["params"].get("max") is not None]

    def of_face(face: int) -> Dist[int]:
        amounts = [
            str(row["params"]["amount"])
            for row in table
            if face in dice_that_succeed(row["params"].get("success_on", "auto"))
        ]
        return dict(rolled(amounts[0])) if amounts else certain(0)

    totals = certain(0)
    for _ in range(times * int(table[0]["params"].get("dice", 1))):
        totals = collect(
            (so_far + amount, chance * SIXTH * share)
            for so_far, chance in totals.items()
            for face in FACES
            for amount, share in of_face(face).items()
        )
    return collect((min([total, *most]), chance) for total, chance in totals.items())


# --- the whole case --------------------------------------------------------------------------------------------------


@dataclass
class Counts:
    """Expected numbers before allocation, as if every die were rolled even after the target is gone."""

    attacks: Fraction = Fraction(0)
    hits: Fraction = Fraction(0)
    critical_hits: Fraction = Fraction(0)
    wounds: Fraction = Fraction(0)
    critical_wounds: Fraction = Fraction(0)
    unsaved: Fraction = Fraction(0)
    damage: Fraction = Fraction(0)
    hazardous: Fraction = Fraction(0)


def count_attacks(counts: Counts, rule: Ruling, model: Row) -> None:
    number = mean(number_of_attacks(rule))
    counts.attacks += number
    packets = packets_of(rule)
    through = {wound: save_fails(hit, model) for wound, hit in packets.items()}
    lost = {wound: mean(dict(hit.damage)) * packet_point_lost(hit, model) for wound, hit in packets.items()}
    for (hits, wounds), chance in one_attack(rule).items():
        for row in event_rows(rule):
            amount = mean(mortal_wounds([row], EVENTS[row["params"]["per"]](hits, wounds)))
            counts.damage += number * chance * amount * point_lost(rule.of("feel_no_pain"), model, ["mortal"])
        counts.hits += number * chance * len(hits)
        counts.critical_hits += number * chance * hits.count(CRITICAL)
        counts.wounds += number * chance * len(wounds)
        for wound in wounds:
            counts.critical_wounds += number * chance * wound.critical_wound
            counts.unsaved += number * chance * through[wound]
            counts.damage += number * chance * through[wound] * lost[wound]
    if rule.has("hazardous") and can_attack(rule):
        counts.hazardous += rule.attack.get("bearers", 1) * SIXTH


@dataclass(frozen=True, order=True)
class Event:
    """A mortal wounds row (its place among the effects) that an attack has set off."""

    place: int


State = tuple[Unit, tuple[Packet | Event, ...]]


def after_one_attack(states: Dist[State], rule: Ruling, groups: Sequence[Group]) -> Dist[State]:
    """All outcomes of one more attack: its wounds are allocated at once, devastating ones wait."""

    @cache
    def allocate(unit: Unit, hit: Packet) -> tuple[tuple[Unit, Fraction], ...]:
        return tuple(take_packet(unit, hit, groups).items())

    packets = packets_of(rule)

    def set_off(hits: Sequence[str], wounds: Sequence[Wound]) -> tuple[Event, ...]:
        rows = event_rows(rule)
        return tuple(
            Event(row["effect_index"]) for row in rows for _ in range(EVENTS[row["params"]["per"]](hits, wounds))
        )

    sequences = collect(
        ((tuple(packets[wound] for wound in wounds), set_off(hits, wounds)), chance)
        for (hits, wounds), chance in one_attack(rule).items()
    )

    def outcomes() -> Iterator[tuple[State, Fraction]]:
        for (unit, waiting), chance in states.items():
            for (hits, events), share in sequences.items():
                units = certain(unit)
                for hit in (hit for hit in hits if not hit.mortal):
                    units = collect((b, p * q) for a, p in units.items() for b, q in allocate(a, hit))
                later = (*waiting, *(hit for hit in hits if hit.mortal), *events)
                for after, p in units.items():
                    yield (after, later), chance * share * p

    return collect(outcomes())


def fire(states: Dist[State], rule: Ruling, groups: Sequence[Group]) -> Dist[State]:
    """All attacks of one weapon group, one after the other."""
    numbers = number_of_attacks(rule)
    ended: list[tuple[State, Fraction]] = []
    for made in range(max(numbers) + 1):
        ended += [(state, chance * numbers.get(made, Fraction(0))) for state, chance in states.items()]
        if made < max(numbers):
            states = after_one_attack(states, rule, groups)
    return collect(ended)


def final_units(case: Case) -> Dist[Unit]:
    """The distribution of the target unit after the last attack.

    Devastating packets come in the order of the weapons. In what order those of one weapon come that differ by a bonus
    on Critical Hits is not stated anywhere: here those without the bonus come first.
    """
    groups = groups_of(case)
    start: Unit = tuple((g.model["count"], min(g.model.get("wounds_lost", 0), g.wounds - 1)) for g in groups)
    states: Dist[State] = certain((start, ()))
    for place in range(len(case["attacks"])):
        states = fire(states, ruling(case, place), groups)

    def after_devastating() -> Iterator[tuple[Unit, Fraction]]:
        for (unit, waiting), chance in states.items():
            units = certain(unit)
            packets = [hit for hit in waiting if isinstance(hit, Packet)]
            for hit in sorted(packets, key=lambda hit: (hit.weapon, hit.bonus_of_critical_hit)):
                units = collect((b, p * q) for a, p in units.items() for b, q in take_packet(a, hit, groups).items())
            for event, times in sorted(Counter(e for e in waiting if isinstance(e, Event)).items()):
                row = numbered_effects(case)[event.place - 1]
                for_all = mortal_wounds([row], times)
                units = collect(
                    (after, chance * share * p)
                    for before, chance in units.items()
                    for number, share in for_all.items()
                    for after, p in take_mortal_wounds(before, number, ignoring(case), groups, from_attack=True).items()
                )
            for after, p in units.items():
                yield after, chance * p

    units = collect(after_devastating())
    for table in mortal_tables(case):
        amounts = mortal_wounds(table)
        units = collect(
            (after, chance * share * p)
            for unit, chance in units.items()
            for number, share in amounts.items()
            for after, p in take_mortal_wounds(unit, number, ignoring(case), groups, from_attack=False).items()
        )
    return units


def ignoring(case: Case) -> list[Row]:
    """Params of the Feel No Pain rows, for mortal wounds that no weapon makes."""
    return [row["params"] for row in case.get("effects", []) if row["kind"] == "feel_no_pain"]


def mortal_tables(case: Case) -> list[list[Row]]:
    """Mortal wounds rows against the target; those of one choice group are the results of one die."""
    tables: dict[Any, list[Row]] = {}
    for place, row in enumerate(case.get("effects", [])):
        if row["kind"] == "mortal_wounds" and row["side"] == "attacker" and row["params"].get("per") not in EVENTS:
            group = row.get("choice_group")
            tables.setdefault(("alone", place) if group is None else ("table", group), []).append(row)
    return list(tables.values())


def enumerate_case(case: Case) -> dict[str, Any]:
    """The answer to a resolve case in fractions, with the field names of the public format.

    ``expected_unsaved`` and ``expected_damage`` are None for an attached unit, where they have no one meaning; for
    other units whose models differ they are those against the first group: compare them only where all saves agree.
    """
    groups = groups_of(case)
    attached = len({group.leader for group in groups}) > 1
    counts = Counts()
    for place in range(len(case["attacks"])):
        count_attacks(counts, ruling(case, place), groups[0].model)
    for table in mortal_tables(case):
        counts.damage += mean(mortal_wounds(table)) * point_lost(ignoring(case), groups[0].model, ["mortal"])
    models = sum(group.model["count"] for group in groups)
    before = sum(g.model["count"] * g.wounds - min(g.model.get("wounds_lost", 0), g.wounds - 1) for g in groups)
    slain: list[tuple[int, Fraction]] = []
    lost: list[tuple[int, Fraction]] = []
    for unit, chance in final_units(case).items():
        left = sum(count for count, _ in unit)
        slain.append((models - left, chance))
        wounds_left = sum(count * g.wounds - worn for (count, worn), g in zip(unit, groups, strict=True))
        lost.append((before - wounds_left, chance))
    slain_pmf, lost_pmf = collect(slain), collect(lost)
    return {
        "id": case.get("id"),
        "expected_attacks": counts.attacks,
        "expected_hits": counts.hits,
        "expected_critical_hits": counts.critical_hits,
        "expected_wounds": counts.wounds,
        "expected_critical_wounds": counts.critical_wounds,
        "expected_unsaved": None if attached else counts.unsaved,
        "expected_damage": None if attached else counts.damage,
        "expected_wounds_lost": mean(lost_pmf),
        "expected_models_slain": mean(slain_pmf),
        "p_destroyed": slain_pmf.get(models, Fraction(0)),
        "models_slain_pmf": [slain_pmf.get(k, Fraction(0)) for k in range(models + 1)],
        "wounds_lost_pmf": [lost_pmf.get(k, Fraction(0)) for k in range(before + 1)],
        "expected_hazardous_failures": counts.hazardous,
        "expected_own_wounds_lost": 3
        * counts.hazardous,  # three mortal wounds each; the bearers' own wounds are not told
    }
