"""`hammerhouse matchup` and `resolve` on a built warehouse: the same figures as its tables, and names that do not fit."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from build_running import Built, rows, value
from typer.testing import Result

Invoke = Callable[..., Result]
EXPECTATIONS = (
    "expected_attacks", "expected_hits", "expected_wounds", "expected_unsaved", "expected_damage",
    "expected_wounds_lost", "expected_models_slain", "p_destroyed",
)  # fmt: skip
EXAMPLES = Path(__file__).parents[2] / "warehouse" / "sql" / "examples"
FLAGS = ("half_range", "stationary", "charging", "cover", "overwatch", "hidden", "beyond_12")


def matchup(hammerhouse: Invoke, built: Built, *args: object) -> list[dict[str, Any]]:
    done = hammerhouse("matchup", "--out", built.out, "--json", *args)
    assert done.exit_code == 0, done.output
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def close(answer: dict[str, Any], stored: dict[str, Any]) -> None:
    for name in EXPECTATIONS:
        if stored[name] is None:
            assert answer[name] is None, name
        else:
            assert answer[name] == pytest.approx(stored[name], rel=3e-6, abs=3e-7), name


# --- equal to the warehouse --------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["standard", "cover", "close", "stationary", "overwatch", "hidden"])
@pytest.mark.parametrize(
    ("attacker", "target"),
    [
        ("Hellblaster Squad", "teq"),
        ("Whirlwind", "horde"),
        ("necrons/immortals", "space-marines/hellblaster-squad"),
        ("Cerastus Knight Lancer", "knight"),
    ],
)
def test_unit_is_as_in_unit_matchup(
    built: Built, hammerhouse: Invoke, attacker: str, target: str, scenario: str
) -> None:
    """Every phase that the table has, and no other."""
    sheet = value(built.database, "SELECT datasheet_id FROM core.datasheet WHERE ? IN (datasheet_id, name)", attacker)
    stored = rows(
        built.database,
        f"SELECT attack_type, models, models_slain_pmf, {', '.join(EXPECTATIONS)} FROM out.unit_matchup WHERE datasheet_id = ? "
        "AND scenario = ? AND target_id = ? AND is_default "
        "QUALIFY models = min(models) OVER () ORDER BY attack_type DESC",
        sheet, scenario, target,
    )  # fmt: skip
    done = hammerhouse("matchup", "--out", built.out, "--json", attacker, target, "--scenario", scenario)
    if not stored:
        assert done.exit_code == 2
        assert "no weapon that can attack in this scenario" in done.stderr
        return
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert [one["attack_type"] for one in found] == [row[0] for row in stored]
    for one, row in zip(found, stored, strict=True):
        assert f"({row[1]})" in one["attacker"]
        close(one["answer"], dict(zip(EXPECTATIONS, row[3:], strict=True)))
        if row[2] is not None:
            pmf = np.asarray(row[2])
            assert np.allclose(one["answer"]["models_slain_pmf"], pmf, rtol=3e-6, atol=3e-7)


def test_weapon_is_as_in_weapon_matchup(built: Built, hammerhouse: Invoke) -> None:
    """Every weapon of one page, one bearer, in three scenarios."""
    stored = rows(
        built.database,
        f"SELECT w.weapon, w.profile, m.scenario, {', '.join(f'm.{name}' for name in EXPECTATIONS)} FROM out.weapon_matchup AS m "
        "JOIN core.weapon_profile AS w USING (weapon_id) WHERE w.datasheet_id = 'space-marines/gladiator-lancer' "
        "AND m.target_id = 'gravis' AND m.scenario IN ('standard', 'close', 'cover')",
    )
    assert len(stored) >= 12
    for weapon, profile, scenario, *figures in stored:
        name = f"{weapon} - {profile}" if profile else weapon
        found = matchup(
            hammerhouse, built, "Gladiator Lancer", "gravis", "--weapon", name, "--models", 1, "--scenario", scenario
        )
        assert len(found) == 1
        close(found[0]["answer"], dict(zip(EXPECTATIONS, figures, strict=True)))


@pytest.mark.parametrize("flags", [(flag,) for flag in FLAGS] + [("half_range", "cover", "stationary")])
def test_resolve_answers_what_matchup_shows(
    built: Built, hammerhouse: Invoke, tmp_path: Path, flags: tuple[str, ...]
) -> None:
    """The case that `--json` prints, given to `resolve`, gives the same answer to the last digit."""
    found = matchup(hammerhouse, built, "Whirlwind", "meq", *(f"--{flag.replace('_', '-')}" for flag in flags))
    for one in found:
        assert {name: one["case"]["scenario"][name] for name in FLAGS} == {
            name: name in flags or name == "beyond_12" for name in FLAGS
        }
    file = tmp_path / "cases.json"
    file.write_text(json.dumps([one["case"] for one in found]), encoding="utf-8")
    done = hammerhouse("resolve", file)
    assert done.exit_code == 0, done.output
    assert [json.loads(line) for line in done.stdout.splitlines()] == [one["answer"] for one in found]


def test_models_scale_the_unit(built: Built, hammerhouse: Invoke) -> None:
    ten = matchup(hammerhouse, built, "Hellblaster Squad", "horde", "--models", 10)
    weapon = matchup(hammerhouse, built, "Hellblaster Squad", "horde", "--weapon", "Bolt pistol", "--models", 7)
    assert [one["case"]["attacks"][0]["bearers"] for one in ten] == [10] * len(ten)
    assert [one["case"]["attacks"][0]["bearers"] for one in weapon] == [7]
    assert weapon[0]["answer"]["expected_attacks"] == 7


# --- rules by name -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacker", "target", "rule", "more"),
    [
        ("Gladiator Lancer", "knight", "Aquilon Optics", "expected_wounds"),  # an ability
        ("Whirlwind", "meq", "storm of fire", "expected_unsaved"),  # a stratagem, in any case
        ("Whirlwind", "meq", "Oath of Moment", "expected_hits"),  # an army rule
        ("Blade Champion", "meq", "Dacatarai Stance", "expected_hits"),  # a stance
    ],
)
def test_with_a_rule(built: Built, hammerhouse: Invoke, attacker: str, target: str, rule: str, more: str) -> None:
    plain = matchup(hammerhouse, built, attacker, target)
    lifted = matchup(hammerhouse, built, attacker, target, "--with", rule)
    assert any(new["answer"][more] > old["answer"][more] + 1e-6 for new, old in zip(lifted, plain, strict=True))
    assert [name.lower() for one in lifted for name, _ in one["rules"]] == [rule.lower()] * len(lifted)


def test_a_rule_of_the_target(built: Built, hammerhouse: Invoke) -> None:
    plain = matchup(hammerhouse, built, "Whirlwind", "Korvath Line-squad")
    steady = matchup(hammerhouse, built, "Whirlwind", "Korvath Line-squad", "--with", "Steady Ranks")
    assert steady[0]["answer"]["expected_wounds"] < plain[0]["answer"]["expected_wounds"]


def test_explained_step_by_step(built: Built, hammerhouse: Invoke) -> None:
    """Each step says the roll that is needed; the numbers are those of the answer."""
    done = hammerhouse("matchup", "--out", built.out, "Hellblaster Squad", "teq", "--scenario", "close")
    assert done.exit_code == 0
    text = " ".join(done.stdout.split())
    for said in (
        "hits on 2+",
        "wounds on 3+",
        "saves on 4+",
        "invulnerable 4+",
        "models slain",
        "at least",
        "destroyed",
    ):
        assert said in text, said
    found = matchup(hammerhouse, built, "Hellblaster Squad", "teq", "--scenario", "close")[0]
    steps = {step["step"]: step for step in found["steps"]}
    assert steps["hit"]["expected"] == pytest.approx(found["answer"]["expected_hits"])
    assert steps["wound"]["expected"] == pytest.approx(found["answer"]["expected_wounds"])
    assert steps["save"]["expected"] == pytest.approx(found["answer"]["expected_unsaved"])
    assert (steps["hit"]["needed"], steps["wound"]["needed"], steps["save"]["needed"]) == ("2+", "3+", "4+")


def test_archetype_attacker(built: Built, hammerhouse: Invoke) -> None:
    loadout, name, figure = rows(
        built.database,
        "SELECT loadout_id, loadout, expected_wounds_lost FROM out.unit_matchup WHERE is_attacker_archetype "
        "AND scenario = 'standard' AND target_id = 'meq' ORDER BY loadout_id LIMIT 1",
    )[0]
    for said in (loadout, name):
        found = matchup(hammerhouse, built, said, "meq")
        assert found[0]["answer"]["expected_wounds_lost"] == pytest.approx(figure, rel=3e-6)


# --- names that do not fit ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("Helblaster Sqad", "meq"), "Hellblaster Squad"),
        (("Whirlwind", "Imortals"), "Immortals"),
        (("Whirlwind", "nothing like it at all"), "teq"),
        (("Whirlwind", "meq", "--weapon", "Vengeance"), "Whirlwind vengeance launcher"),
        (("Whirlwind", "meq", "--with", "Storm of Fir"), "STORM OF FIRE"),
        (("Whirlwind", "meq", "--scenario", "night"), "standard"),
        (("Ash Striders", "nobody"), "no target 'nobody'"),
        (("Whirlwind", "meq", "--models", "0"), "'--models'"),
        (("Whirlwind",), "TARGET"),
    ],
)
def test_wrong_name_or_option(built: Built, hammerhouse: Invoke, args: tuple[str, ...], said: str) -> None:
    done = hammerhouse("matchup", "--out", built.out, *args)
    assert done.exit_code == 2
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.output


def test_the_full_game_comes_before_patrols(built: Built, hammerhouse: Invoke) -> None:
    sheets = rows(
        built.database,
        "SELECT datasheet_id, is_combat_patrol FROM core.datasheet WHERE name = 'Custodian Guard' ORDER BY 2",
    )
    assert [is_patrol for _, is_patrol in sheets] == [False, True]
    plain = matchup(hammerhouse, built, "Whirlwind", "Custodian Guard")
    by_id = matchup(hammerhouse, built, "Whirlwind", sheets[0][0])
    assert [one["answer"] for one in plain] == [one["answer"] for one in by_id]


def test_nothing_published(hammerhouse: Invoke, tmp_path: Path) -> None:
    done = hammerhouse("matchup", "--out", tmp_path, "Whirlwind", "meq")
    assert done.exit_code == 1
    assert "hammerhouse build" in done.stderr


# --- resolve -----------------------------------------------------------------------------------------------------

GOOD = {
    "id": "good",
    "attacks": [
        {"name": "Pike", "attack_type": "ranged", "bearers": 2, "range_in": 24, "attacks": "1", "skill": 4, "strength": 4,
         "armour_penetration": 0, "damage": "1", "keywords": []}
    ],
    "target": {"keywords": [], "models": [{"name": "One", "count": 1, "toughness": 4, "save": 7, "wounds": 2}]},
}  # fmt: skip
BAD = {**GOOD, "id": "bad", "attacks": [{**GOOD["attacks"][0], "skill": "4+"}]}  # type: ignore[dict-item]


def test_resolve_good_cases(hammerhouse: Invoke, tmp_path: Path) -> None:
    """Two attacks, each wounds one time in four: a quarter times a quarter destroys the one model."""
    file = tmp_path / "cases.json"
    file.write_text(json.dumps([GOOD]), encoding="utf-8")
    done = hammerhouse("resolve", file)
    assert done.exit_code == 0
    answer = json.loads(done.stdout)
    assert answer["id"] == "good"
    assert answer["expected_wounds_lost"] == pytest.approx(0.5)
    assert answer["p_destroyed"] == pytest.approx(1 / 16)
    to_file = hammerhouse("resolve", file, "--output", tmp_path / "answers.jsonl")
    assert to_file.exit_code == 0
    assert (tmp_path / "answers.jsonl").read_text(encoding="utf-8") == done.stdout
    assert hammerhouse("resolve", "-", input=json.dumps([GOOD])).stdout == done.stdout


def test_resolve_mixed_cases(hammerhouse: Invoke, tmp_path: Path) -> None:
    file = tmp_path / "cases.json"
    file.write_text(json.dumps([BAD, GOOD, 7]), encoding="utf-8")
    done = hammerhouse("resolve", file)
    assert done.exit_code == 2
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == ["bad", "good", None]
    assert "skill" in answers[0]["error"]
    assert "error" not in answers[1]
    assert "2 of 3 cases" in done.stderr


@pytest.mark.parametrize("text", ["", "{", '{"id": 1}', '"cases"', "\x00"])
def test_resolve_what_is_no_list(hammerhouse: Invoke, tmp_path: Path, text: str) -> None:
    file = tmp_path / "cases.json"
    file.write_text(text, encoding="utf-8")
    done = hammerhouse("resolve", file)
    assert done.exit_code == 2
    assert "Traceback" not in done.output
    assert hammerhouse("resolve", tmp_path / "missing.json").exit_code == 2


# --- the other commands on a real build --------------------------------------------------------------------------


def test_query_describe_diff_doctor(built: Built, hammerhouse: Invoke) -> None:
    asked = hammerhouse("query", "--out", built.out, "--format", "json", "SELECT count(*) AS n FROM core.datasheet")
    assert json.loads(asked.stdout) == [{"n": value(built.database, "SELECT count(*) FROM core.datasheet")}]
    assert hammerhouse("query", "--out", built.out, "DROP TABLE core.datasheet").exit_code != 0
    assert "signature" in hammerhouse("describe", "out.signature_matchup").stdout
    assert hammerhouse("describe", "out.signature_matchp").exit_code == 2
    doctor = hammerhouse("doctor", "--out", built.out)
    assert doctor.exit_code == 0
    assert str(value(built.database, "SELECT build_id FROM meta.build")) in doctor.stdout


def test_a_changed_price_and_a_namesake(small: Path, hammerhouse: Invoke) -> None:
    """`diff` says what changed; a name that two factions share must be told apart by its id."""
    page = (small / "raw" / "pike_guard.txt").read_text(encoding="utf-8")
    (small / "raw" / "pike_guard.txt").write_text(
        page.replace("| 5 models | 90 |", "| 5 models | 75 |"), encoding="utf-8"
    )
    twin = page.replace("Sable Wardens", "Tidal Court").replace("SABLE WARDENS", "TIDAL COURT")
    (small / "raw" / "twin.txt").write_text(twin, encoding="utf-8")
    assert hammerhouse("build", "--raw", small / "raw", "--out", small / "out").exit_code == 0
    done = hammerhouse("diff", "--out", small / "out")
    assert done.exit_code == 0, done.output
    assert re.search(r"(?s)pike-guard.*90.*75", done.stdout), done.stdout
    assert "tidal-court/pike-guard" in done.stdout
    shared = hammerhouse("matchup", "--out", small / "out", "Pike Guard", "meq")
    assert shared.exit_code == 2
    for datasheet_id in ("sable-wardens/pike-guard", "tidal-court/pike-guard"):
        assert datasheet_id in " ".join(shared.stderr.split())
        assert hammerhouse("matchup", "--out", small / "out", datasheet_id, "meq").exit_code == 0


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.sql")), ids=lambda path: path.stem)
def test_every_example_answers(built: Built, hammerhouse: Invoke, example: Path) -> None:
    text = example.read_text(encoding="utf-8")
    done = hammerhouse("query", "--out", built.out, "--format", "json", "-", input=text)
    assert done.exit_code == 0, done.output
    assert isinstance(json.loads(done.stdout), list)
