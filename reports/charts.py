"""Chart templates: each is built once per site and theme, pages bring only rows.

Belongs here: Altair specifications with named data, and the two themes. Does not belong here: numbers (pages give rows
whose texts are formatted already) and the browser's part (`static/site.js`).

Traps that these templates avoid: a zero on a log axis moves every mark to the edge without a word, so rows outside the
axis are drawn as text; container width works for single and layered views only; a height that follows from the rows
cannot be fitted, so only the width is.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import altair as alt

BIN_EDGES = (0.05, 0.10, 0.20, 0.30, 0.50)  # of worn return: the lower edges of bins 2 to 6
ATTACK_TYPES = ["ranged", "melee"]
_PPW_DOMAIN = (2, 1000)


@dataclass(frozen=True)
class Palette:
    """Colours of one theme. Contrast on its paper: text 4.5 to 1 or more, marks 3 to 1 (the faint ones carry numbers)."""

    ink: str
    soft: str  # text of lesser weight
    faint: str  # grid lines
    paper: str
    ranged: str
    melee: str
    exact: str  # bars behind a line
    bins: tuple[str, ...]  # heat map, rising
    turn: int  # the first bin whose text has the other colour
    on_first: str
    on_last: str
    statuses: tuple[str, str, str]  # read, changes no attack, not understood


LIGHT = Palette(
    ink="#1f2429",
    soft="#5b6670",
    faint="#d8dde2",
    paper="#ffffff",
    ranged="#0072B2",
    melee="#D55E00",
    exact="#9ecae1",
    bins=("#eff3ff", "#c6dbef", "#9ecae1", "#6baed6", "#3182bd", "#08519c"),
    turn=5,
    on_first="#111111",
    on_last="#ffffff",
    statuses=("#0072B2", "#9ecae1", "#D55E00"),
)
DARK = Palette(
    ink="#e6e8ea",
    soft="#a3adb7",
    faint="#3a424a",
    paper="#14171a",
    ranged="#56B4E9",
    melee="#E69F00",
    exact="#1b5f8c",
    bins=("#1b2733", "#17405f", "#1b5f8c", "#2f86bd", "#6cb4e0", "#b9e0f7"),
    turn=3,
    on_first="#ffffff",
    on_last="#111111",
    statuses=("#56B4E9", "#2f5f80", "#E69F00"),
)


def _data() -> alt.NamedData:
    return alt.NamedData("main")


def _colour(palette: Palette) -> alt.Color:
    scale = alt.Scale(domain=ATTACK_TYPES, range=[palette.ranged, palette.melee])
    return alt.Color("attack_type:N", scale=scale, title=None)


def _shape() -> alt.Shape:
    """The attack type a second time: never colour alone."""
    return alt.Shape("attack_type:N", scale=alt.Scale(domain=ATTACK_TYPES, range=["circle", "diamond"]), title=None)


def _bars_with_labels(bars: alt.Chart, base: alt.Chart, step: int) -> alt.LayerChart:
    """Bars and their values in figures, with room for the figures of the longest bar."""
    room = {"left": 5, "top": 5, "right": 34, "bottom": 5}
    return alt.layer(bars, _labels(base)).properties(width="container", height=alt.Step(step), padding=room)


def _labels(base: alt.Chart, field: str = "value_txt:N") -> alt.Chart:
    """The value in figures at the end of each bar."""
    return base.mark_text(align="left", dx=3, fontSize=10).encode(x="value:Q", text=field)


def _by_attack_type() -> alt.Chart:
    return alt.Chart(_data()).encode(
        y=alt.Y("target:N", sort=None, title=None, scale=alt.Scale(paddingInner=0.2)),
        yOffset=alt.YOffset("attack_type:N", scale=alt.Scale(domain=ATTACK_TYPES)),
        tooltip=[
            alt.Tooltip("target:N", title="target"),
            alt.Tooltip("attack_type:N", title="attacks"),
            alt.Tooltip("value_txt:N", title="value"),
        ],
    )


def target_profile(palette: Palette) -> alt.LayerChart:
    """Points per wound lost against the archetypes. Rows: target, attack_type, value, value_txt.

    Values off the axis, and those that do not exist, stand as words at the right edge.
    """
    base = _by_attack_type()
    least, most = _PPW_DOMAIN
    inside = f"isValid(datum.value) && datum.value >= {least} && datum.value <= {most}"
    points = (
        base.transform_filter(inside)
        .mark_point(filled=True, size=90, opacity=1)
        .encode(
            x=alt.X(
                "value:Q",
                title="points per wound lost, log scale",
                scale=alt.Scale(type="log", domain=list(_PPW_DOMAIN)),
                axis=alt.Axis(values=[3, 10, 30, 100, 300, 1000], format="d"),
            ),
            color=_colour(palette),
            shape=_shape(),
        )
    )
    others = (
        base.transform_filter(f"!({inside})")
        .mark_text(align="right", dx=-4, fontSize=10, color=palette.soft)
        .encode(x=alt.value("width"), text="value_txt:N")
    )
    return alt.layer(points, others).properties(width="container", height=alt.Step(13))


def wounds_profile(palette: Palette) -> alt.LayerChart:
    """Expected wounds lost against the archetypes, for units without points. Rows as `target_profile`."""
    base = _by_attack_type()
    x = alt.X("value:Q", title="expected wounds lost", scale=alt.Scale(zero=True))
    bars = base.mark_bar().encode(x=x, color=_colour(palette))
    return _bars_with_labels(bars, base, 13)


def at_least_k(palette: Palette) -> alt.LayerChart:
    """Chance of slaying exactly k (bars) and at least k (steps). Rows: k, p, p_at_least, p_txt, at_least_txt."""
    base = alt.Chart(_data()).encode(x=alt.X("k:O", title="models slain", sort=None, axis=alt.Axis(labelAngle=0)))
    exactly = base.mark_bar(color=palette.exact).encode(
        y=alt.Y("p:Q", title="chance", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%")),
        tooltip=[
            alt.Tooltip("k:O", title="models slain"),
            alt.Tooltip("p_txt:N", title="exactly"),
            alt.Tooltip("at_least_txt:N", title="at least"),
        ],
    )
    at_least = base.mark_line(interpolate="step", color=palette.melee, strokeWidth=2).encode(y="p_at_least:Q")
    return alt.layer(exactly, at_least).properties(width="container", height=120)


def _ranking(palette: Palette, measure: str) -> alt.LayerChart:
    base = alt.Chart(_data()).encode(y=alt.Y("unit:N", sort=None, title=None))
    bars = base.mark_bar().encode(
        x=alt.X("value:Q", title=measure, scale=alt.Scale(zero=True)),
        color=_colour(palette),
        tooltip=[
            alt.Tooltip("unit:N", title="unit"),
            alt.Tooltip("faction:N", title="faction"),
            alt.Tooltip("attack_type:N", title="attacks"),
            alt.Tooltip("value_txt:N", title=measure),
        ],
    )
    return _bars_with_labels(bars, base, 18)


def ranking(palette: Palette) -> alt.LayerChart:
    """The first units by wounds lost per 100 points. Rows: unit, value, value_txt, attack_type, faction."""
    return _ranking(palette, "wounds lost per 100 points")


def ranking_unpriced(palette: Palette) -> alt.LayerChart:
    """The first units by wounds lost, where no unit has a price. Rows as `ranking`."""
    return _ranking(palette, "expected wounds lost")


def heat_map(palette: Palette) -> alt.LayerChart:
    """Rows (weapons or units) against the archetypes. Rows: row, target, bin (0-5, null: no figure), text."""
    base = alt.Chart(_data()).encode(
        x=alt.X("target:N", sort=None, title=None, axis=alt.Axis(orient="top", labelAngle=0, labelOverlap=False)),
        y=alt.Y("row:N", sort=None, title=None),
    )
    cells = base.mark_rect(stroke=palette.paper, strokeWidth=0.5).encode(
        color=alt.Color("bin:O", scale=alt.Scale(domain=[0, 1, 2, 3, 4, 5], range=list(palette.bins)), legend=None),
        tooltip=[
            alt.Tooltip("row:N", title="attacker"),
            alt.Tooltip("target:N", title="target"),
            alt.Tooltip("text:N", title="value"),
        ],
    )
    texts = base.mark_text(fontSize=9).encode(
        text="text:N",
        color=alt.condition(f"datum.bin >= {palette.turn}", alt.value(palette.on_last), alt.value(palette.on_first)),
    )
    return alt.layer(cells, texts).properties(width="container", height=alt.Step(18))


def durability(palette: Palette) -> alt.LayerChart:
    """What a volley of each archetype attacker takes off. Rows: attacker, value, value_txt, measure."""
    base = alt.Chart(_data()).encode(y=alt.Y("attacker:N", sort=None, title=None))
    bars = base.mark_bar(color=palette.ranged).encode(
        x=alt.X("value:Q", title="taken off by 100 points of fire", scale=alt.Scale(zero=True)),
        tooltip=[alt.Tooltip("attacker:N", title="attacker"), alt.Tooltip("value_txt:N", title="taken off")],
    )
    return _bars_with_labels(bars, base, 20)


def rule_lift(palette: Palette) -> alt.LayerChart:
    """Wounds lost without and with a rule. Rows: rule, without, with_rule, without_txt, with_txt, gain_txt."""
    base = alt.Chart(_data()).encode(y=alt.Y("rule:N", sort=None, title=None))
    tooltip = [
        alt.Tooltip("rule:N", title="rule"),
        alt.Tooltip("without_txt:N", title="without"),
        alt.Tooltip("with_txt:N", title="with"),
        alt.Tooltip("gain_txt:N", title="gain"),
    ]
    line = base.mark_rule(color=palette.soft).encode(
        x=alt.X("without:Q", title="expected wounds lost", scale=alt.Scale(zero=True)), x2="with_rule:Q"
    )
    before = base.mark_point(filled=False, size=70, color=palette.soft).encode(x="without:Q", tooltip=tooltip)
    after = base.mark_point(filled=True, size=80, color=palette.ranged).encode(x="with_rule:Q", tooltip=tooltip)
    return alt.layer(line, before, after).properties(width="container", height=alt.Step(20))


def price_steps(palette: Palette) -> alt.LayerChart:
    """Price of each size through the versions. Rows: version, size, points, points_txt."""
    base = alt.Chart(_data()).encode(
        x=alt.X("version:O", sort=None, title="points version", axis=alt.Axis(labelAngle=0)),
        y=alt.Y("points:Q", title="points", scale=alt.Scale(zero=True)),
        detail="size:N",
    )
    line = base.mark_line(interpolate="step-after", color=palette.ranged)
    dots = base.mark_point(filled=True, size=50, color=palette.ranged).encode(
        shape=alt.Shape("size:N", title="size"),
        tooltip=[
            alt.Tooltip("size:N", title="size"),
            alt.Tooltip("version:O", title="version"),
            alt.Tooltip("points_txt:N", title="points"),
        ],
    )
    return alt.layer(line, dots).properties(width="container", height=180)


def coverage(palette: Palette) -> alt.Chart:
    """Rule texts by origin and status. Rows: origin, status, texts."""
    return (
        alt.Chart(_data())
        .mark_bar()
        .encode(
            y=alt.Y("origin:N", sort=None, title=None),
            x=alt.X("texts:Q", title="rule texts", stack="zero"),
            order=alt.Order("position:Q"),
            color=alt.Color(
                "status:N",
                title=None,
                scale=alt.Scale(domain=["read", "changes no attack", "not understood"], range=list(palette.statuses)),
            ),
            tooltip=[
                alt.Tooltip("origin:N", title="origin"),
                alt.Tooltip("status:N", title="status"),
                alt.Tooltip("texts:Q", title="texts"),
            ],
        )
        .properties(width="container", height=alt.Step(24))
    )


TEMPLATES: dict[str, Callable[[Palette], alt.Chart | alt.LayerChart]] = {
    "target_profile": target_profile,
    "wounds_profile": wounds_profile,
    "at_least_k": at_least_k,
    "ranking": ranking,
    "ranking_unpriced": ranking_unpriced,
    "heat_map": heat_map,
    "durability": durability,
    "rule_lift": rule_lift,
    "price_steps": price_steps,
    "coverage": coverage,
}


def specifications(palette: Palette) -> dict[str, dict[str, Any]]:
    """Every template as a Vega-Lite specification without data and without a theme (pages bring both)."""
    found = {}
    for name, make in TEMPLATES.items():
        specification = make(palette).to_dict()
        specification.pop("config", None)
        specification["autosize"] = {"type": "fit-x", "contains": "padding"}
        found[name] = specification
    return found


def theme(palette: Palette) -> dict[str, Any]:
    """The Vega configuration of a theme."""
    return {
        "background": "transparent",
        "font": "sans-serif",
        "view": {"stroke": None},
        "axis": {
            "labelColor": palette.ink,
            "titleColor": palette.ink,
            "gridColor": palette.faint,
            "domainColor": palette.faint,
            "tickColor": palette.faint,
            "labelFontSize": 11,
            "titleFontSize": 11,
            "titleFontWeight": "normal",
        },
        "legend": {"labelColor": palette.ink, "titleColor": palette.ink, "orient": "top"},
        "text": {"color": palette.ink},
        "title": {"color": palette.ink},
    }
