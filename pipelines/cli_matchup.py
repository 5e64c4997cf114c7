"""`hammerhouse matchup` and `hammerhouse resolve`: single cases through the engine.

Belongs here: finding attacker, target and rules in the published warehouse, and showing the answer. Does not belong
here: resolving (`models.resolve`).
"""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from models.explain import explain_case
from models.resolve import resolve_case, resolve_cases
from pipelines.matchup_case import Found, MatchupError, Request, build_cases
from reports.numbers import chance, expected
from warehouse.paths import Paths
from warehouse.read import PublishedError, open_published

console = Console()
errors = Console(stderr=True)
USAGE = 2


def matchup_command(
    attacker: Annotated[
        str, typer.Argument(metavar="ATTACKER", help="Datasheet name or id, or an archetype attacker.")
    ],
    target: Annotated[
        str, typer.Argument(metavar="TARGET", help="Archetype (meq, knight ...) or datasheet name or id.")
    ],
    weapon: Annotated[str | None, typer.Option(help="Only this weapon.")] = None,
    models: Annotated[
        int | None, typer.Option(min=1, help="Models of the attacking unit, or bearers of --weapon.")
    ] = None,
    scenario: Annotated[
        str,
        typer.Option(help="standard, cover, stationary, stationary_cover, close, close_cover, overwatch or hidden."),
    ] = "standard",
    half_range: Annotated[bool, typer.Option("--half-range", help="Within half range.")] = False,
    stationary: Annotated[bool, typer.Option("--stationary", help="The attacker did not move.")] = False,
    charging: Annotated[bool, typer.Option("--charging", help="The attacker charged this turn.")] = False,
    cover: Annotated[bool, typer.Option("--cover", help="The target has the Benefit of Cover.")] = False,
    overwatch: Annotated[bool, typer.Option("--overwatch", help="Fire Overwatch: only 6s hit.")] = False,
    hidden: Annotated[bool, typer.Option("--hidden", help="No line of sight.")] = False,
    beyond_12: Annotated[bool, typer.Option("--beyond-12", help="The target is more than 12 inches away.")] = False,
    rules: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="RULE",
            help="Switch on an ability, stratagem, enhancement, stance or order; may be given more than once.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Cases, steps and answers as JSON.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder of the build; default: this checkout, or HAMMERHOUSE_OUT.")
    ] = None,
) -> None:
    """One matchup explained step by step, with its distribution of models slain.

    A unit has its default equipment at its smallest size. The switches add to the scenario.

    Example: hammerhouse matchup "Hellblaster Squad" teq --scenario close --with "Oath of Moment"
    """
    names = {
        "half_range": half_range,
        "stationary": stationary,
        "charging": charging,
        "cover": cover,
        "overwatch": overwatch,
        "hidden": hidden,
        "beyond_12": beyond_12,
    }
    request = Request(
        attacker, target, weapon, models, scenario, tuple(n for n, on in names.items() if on), tuple(rules or ())
    )
    try:
        with open_published(Paths.resolve(out).database) as connection:
            found = build_cases(connection, request)
    except MatchupError as error:
        _fail(str(error))
    except PublishedError as error:
        errors.print(f"[red]error:[/] {error}", highlight=False)
        raise typer.Exit(1) from error
    answers = [(case, resolve_case(case.case)) for case in found]
    if as_json:
        print(json.dumps([_as_json(case, answer) for case, answer in answers], indent=2, ensure_ascii=False))
        return
    for case, answer in answers:
        _show(case, answer)


def _as_json(case: Found, answer: dict[str, Any]) -> dict[str, Any]:
    return {
        "attacker": case.attacker,
        "target": case.target,
        "attack_type": case.attack_type,
        "scenario": case.scenario,
        "rules": list(case.rules),
        "switches": list(case.switches),
        "case": case.case,
        "steps": explain_case(case.case),
        "answer": answer,
    }


def _fail(message: str) -> None:
    errors.print("[red]error:[/] ", end="")
    errors.print(message, markup=False, highlight=False)
    raise typer.Exit(USAGE)


def _show(case: Found, answer: dict[str, Any]) -> None:
    phase = "shooting" if case.attack_type == "ranged" else "fight"
    title = f"{case.attacker} against {case.target}, {phase} phase, scenario {case.scenario}"
    if "error" in answer:
        errors.print(f"{title}: {answer['error']}", markup=False, highlight=False)
        return
    console.print(f"\n[bold]{title}[/]", highlight=False)
    for line in case.lines:
        console.print(f"  {line}", markup=False, highlight=False)
    for name, words in case.rules:
        console.print(f"  with {name}: {words}", markup=False, highlight=False)
    for switch in case.switches:
        console.print(f"  taken to hold: {switch}", markup=False, highlight=False)
    console.print(_steps_table(case, answer))
    console.print(_slain_table(case, answer))


def _steps_table(case: Found, answer: dict[str, Any]) -> RichTable:
    """The engine's own account of the case, weapon by weapon, then what comes of all of them together."""
    table = RichTable(show_edge=False, pad_edge=False)
    table.add_column("step", no_wrap=True)
    table.add_column("expected", justify="right", no_wrap=True)
    table.add_column("how")
    several = len(case.case["attacks"]) > 1
    for step in explain_case(case.case):
        if step["step"] == "attacks" and several:
            table.add_row(Text(step["subject"], style="bold"), "", "")
        table.add_row(_step_name(step), _step_value(step), Text(step["reading"]))
    if answer["expected_hazardous_failures"]:
        table.add_row("own wounds lost", expected(answer["expected_own_wounds_lost"]), "to failed Hazardous tests")
    return table


def _step_name(step: dict[str, Any]) -> str:
    """A step with the number that is needed: `hits on 3+`."""
    name, needed = str(step["step"]), step["needed"]
    if name == "hit":
        return f"hits on {needed}" if needed else "hits, no roll"
    if name == "wound":
        return f"wounds on {needed}" if needed else "wounds"
    if name == "save":
        return f"unsaved, saves on {needed}" if needed else "unsaved, no save"
    if name == "damage":
        return f"damage, ignored on {needed}" if needed else "damage"
    return "failed tests" if name == "hazardous" else name


def _step_value(step: dict[str, Any]) -> str:
    if step["expected"] is None:
        return "-"
    return chance(step["expected"]) if step["step"] == "destroyed" else expected(step["expected"])


def _slain_table(case: Found, answer: dict[str, Any]) -> RichTable:
    pmf = answer["models_slain_pmf"]
    table = RichTable(show_edge=False, pad_edge=False, title="models slain", title_justify="left")
    for name in ("k", "exactly", "at least"):
        table.add_column(name, justify="right")
    table.add_column("")
    for k, p in enumerate(pmf):
        at_least = min(1.0, sum(pmf[k:]))
        if k and at_least < 5e-5:
            table.add_row(f"{k}+", "<0.01 %", "<0.01 %", "")
            break
        table.add_row(str(k), chance(p), chance(at_least), "#" * round(40 * p))
    return table


def resolve_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON list of cases; - reads the standard input.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="File for the answers.")] = None,
) -> None:
    """Resolve custom cases with the engine of the matrices; one JSON object a line.

    A bad case answers `{"id", "error"}` naming the field, the others still resolve, and the exit status is 2.
    `hammerhouse matchup ... --json` prints whole cases, each under "case", to start from.

    \b
    A file with one case:
    [{"id": "ten bolters in the open",
      "target": {"keywords": ["INFANTRY"],
                 "models": [{"count": 5, "toughness": 4, "save": 3, "wounds": 2}]},
      "attacks": [{"attack_type": "ranged", "bearers": 10, "range_in": 24,
                   "attacks": "2", "skill": 3, "strength": 4,
                   "armour_penetration": -1, "damage": "1",
                   "keywords": ["heavy"]}],
      "scenario": {"stationary": true}}]
    """
    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8-sig")
        cases = json.loads(text)
    except (OSError, UnicodeDecodeError) as error:
        _fail(f"{file} cannot be read: {error}")
    except ValueError as error:
        _fail(f"{file} is no JSON: {error}")
    except RecursionError:
        _fail(f"{file} is no list of cases: nested too deeply")
    if not isinstance(cases, list):
        _fail(f"{file}: expected a JSON list of cases")
    answers = resolve_cases(cases)
    lines = "".join(json.dumps(answer, ensure_ascii=False, allow_nan=False) + "\n" for answer in answers)
    # Half of a surrogate pair in an id is said again as the escape that it came as.
    lines = lines.encode("utf-8", errors="backslashreplace").decode("utf-8")
    if output is None:
        sys.stdout.write(lines)
    else:
        try:
            output.write_text(lines, encoding="utf-8")
        except OSError as error:
            _fail(f"{output} cannot be written: {error.strerror or error}")
    bad = sum("error" in answer for answer in answers)
    if bad:
        errors.print(f"{bad} of {len(answers)} cases could not be resolved; see their error", highlight=False)
        raise typer.Exit(USAGE)
