"""Chart templates: each is built once per site, pages bring only rows.

Belongs here: Altair specifications with named data, and the two themes. Does not belong here: numbers (pages give rows
whose texts are formatted already) and the browser's part (`static/site.js`).

Traps that these templates avoid: a zero on a log axis moves every mark to the edge without a word, so rows are filtered
to positive values and the others are drawn as text; container width works for single and layered views only.
"""

from typing import Any

import altair as alt

RANGED, MELEE = "#0072B2", "#D55E00"
RANGED_DARK, MELEE_DARK = "#56B4E9", "#E69F00"
BINS_LIGHT = ("#eff3ff", "#c6dbef", "#9ecae1", "#6baed6", "#3182bd", "#08519c")
BINS_DARK = ("#1b2733", "#17405f", "#1b5f8c", "#2f86bd", "#6cb4e0", "#b9e0f7")
BIN_EDGES = (0.05, 0.10, 0.20, 0.30, 0.50)  # of worn return: the lower edges of bins 2 to 6
ATTACK_TYPES = ["ranged", "melee"]
_PPW_DOMAIN = [3, 1000]


def _data() -> alt.NamedData:
    return alt.NamedData("main")


def _attack_type() -> dict[str, Any]:
    """Colour and shape for the attack type: never colour alone."""
    return {
        "color": alt.Color("attack_type:N", scale=alt.Scale(domain=ATTACK_TYPES, range=[RANGED, MELEE]), title=None),
        "shape": alt.Shape(
            "attack_type:N", scale=alt.Scale(domain=ATTACK_TYPES, range=["circle", "diamond"]), title=None
        ),
    }


def target_profile() -> alt.LayerChart:
    """Points per wound lost against the archetypes. Rows: target, order, attack_type, value, value_txt."""
    base = alt.Chart(_data()).encode(
        y=alt.Y("target:N", sort=None, title=None, scale=alt.Scale(paddingInner=0.2)),
        yOffset=alt.YOffset("attack_type:N", scale=alt.Scale(domain=ATTACK_TYPES)),
    )
    points = (
        base.transform_filter("isValid(datum.value) && datum.value > 0")
        .mark_point(filled=True, size=90, opacity=1)
        .encode(
            x=alt.X(
                "value:Q",
                title="points per wound lost (log scale, left is better)",
                scale=alt.Scale(type="log", domain=_PPW_DOMAIN, clamp=True),
                axis=alt.Axis(values=[3, 10, 30, 100, 300, 1000], format="d"),
            ),
            tooltip=[
                alt.Tooltip("target:N", title="target"),
                alt.Tooltip("attack_type:N", title="attacks"),
                alt.Tooltip("value_txt:N", title="points per wound lost"),
            ],
            **_attack_type(),
        )
    )
    nothing = (
        base.transform_filter("!isValid(datum.value) || datum.value <= 0")
        .mark_text(align="right", dx=-4, fontSize=10)
        .encode(x=alt.value("width"), text="value_txt:N", color=alt.value("#767676"))
    )
    return alt.layer(points, nothing).properties(width="container", height=alt.Step(26))


def wounds_profile() -> alt.LayerChart:
    """Expected wounds lost against the archetypes, for units without points. Rows as `target_profile`."""
    base = alt.Chart(_data()).encode(
        y=alt.Y("target:N", sort=None, title=None, scale=alt.Scale(paddingInner=0.2)),
        yOffset=alt.YOffset("attack_type:N", scale=alt.Scale(domain=ATTACK_TYPES)),
    )
    bars = base.mark_bar().encode(
        x=alt.X("value:Q", title="expected wounds lost", scale=alt.Scale(zero=True)),
        color=alt.Color("attack_type:N", scale=alt.Scale(domain=ATTACK_TYPES, range=[RANGED, MELEE]), title=None),
        tooltip=[
            alt.Tooltip("target:N", title="target"),
            alt.Tooltip("attack_type:N", title="attacks"),
            alt.Tooltip("value_txt:N", title="wounds lost"),
        ],
    )
    return alt.layer(bars).properties(width="container", height=alt.Step(26))


def at_least_k() -> alt.LayerChart:
    """Chance of slaying exactly k (bars) and at least k (steps). Rows: k, p, p_at_least, p_txt, at_least_txt."""
    base = alt.Chart(_data()).encode(x=alt.X("k:O", title="models slain", sort=None, axis=alt.Axis(labelAngle=0)))
    exactly = base.mark_bar(color="#9ecae1").encode(
        y=alt.Y("p:Q", title="chance", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%")),
        tooltip=[
            alt.Tooltip("k:O", title="models slain"),
            alt.Tooltip("p_txt:N", title="exactly"),
            alt.Tooltip("at_least_txt:N", title="at least"),
        ],
    )
    at_least = base.mark_line(interpolate="step", color=MELEE, strokeWidth=2).encode(y="p_at_least:Q")
    return alt.layer(exactly, at_least).properties(width="container", height=120)


def ranking() -> alt.LayerChart:
    """Wounds lost per 100 points of the first thirty units. Rows: unit, value, value_txt, attack_type, faction."""
    base = alt.Chart(_data()).encode(y=alt.Y("unit:N", sort=None, title=None, axis=alt.Axis(labelLimit=190)))
    bars = base.mark_bar().encode(
        x=alt.X("value:Q", title="wounds lost per 100 points", scale=alt.Scale(zero=True)),
        color=alt.Color("attack_type:N", scale=alt.Scale(domain=ATTACK_TYPES, range=[RANGED, MELEE]), title=None),
        tooltip=[
            alt.Tooltip("unit:N", title="unit"),
            alt.Tooltip("faction:N", title="faction"),
            alt.Tooltip("attack_type:N", title="attacks"),
            alt.Tooltip("value_txt:N", title="wounds lost per 100 points"),
        ],
    )
    labels = base.mark_text(align="left", dx=3, fontSize=10).encode(x="value:Q", text="value_txt:N")
    return alt.layer(bars, labels).properties(width="container", height=alt.Step(18))


def heat_map() -> alt.LayerChart:
    """Rows (weapons or units) against the archetypes. Rows: row, target, bin (0-5, null: no figure), text."""
    base = alt.Chart(_data()).encode(
        x=alt.X("target:N", sort=None, title=None, axis=alt.Axis(orient="top", labelAngle=-40)),
        y=alt.Y("row:N", sort=None, title=None, axis=alt.Axis(labelLimit=210)),
    )
    cells = base.mark_rect(stroke="#ffffff", strokeWidth=0.5).encode(
        color=alt.Color("bin:O", scale=alt.Scale(domain=[0, 1, 2, 3, 4, 5], range=list(BINS_LIGHT)), legend=None),
        tooltip=[
            alt.Tooltip("row:N", title="attacker"),
            alt.Tooltip("target:N", title="target"),
            alt.Tooltip("text:N", title="value"),
        ],
    )
    texts = base.mark_text(fontSize=9).encode(
        text="text:N",
        color=alt.condition("datum.bin == 5", alt.value("#ffffff"), alt.value("#111111")),
    )
    return alt.layer(cells, texts).properties(width="container", height=alt.Step(18))


def durability() -> alt.LayerChart:
    """What a volley of each archetype attacker takes off. Rows: attacker, value, value_txt, measure."""
    base = alt.Chart(_data()).encode(y=alt.Y("attacker:N", sort=None, title=None))
    bars = base.mark_bar(color="#3182bd").encode(
        x=alt.X("value:Q", title="taken off by 100 points of fire", scale=alt.Scale(zero=True)),
        tooltip=[alt.Tooltip("attacker:N", title="attacker"), alt.Tooltip("value_txt:N", title="taken off")],
    )
    labels = base.mark_text(align="left", dx=3, fontSize=10).encode(x="value:Q", text="value_txt:N")
    return alt.layer(bars, labels).properties(width="container", height=alt.Step(20))


def rule_lift() -> alt.LayerChart:
    """Wounds lost without and with a rule. Rows: rule, without, with_rule, without_txt, with_txt, gain_txt."""
    base = alt.Chart(_data()).encode(y=alt.Y("rule:N", sort=None, title=None, axis=alt.Axis(labelLimit=230)))
    tooltip = [
        alt.Tooltip("rule:N", title="rule"),
        alt.Tooltip("without_txt:N", title="without"),
        alt.Tooltip("with_txt:N", title="with"),
        alt.Tooltip("gain_txt:N", title="gain"),
    ]
    line = base.mark_rule(color="#767676").encode(
        x=alt.X("without:Q", title="expected wounds lost", scale=alt.Scale(zero=True)), x2="with_rule:Q"
    )
    before = base.mark_point(filled=False, size=70, color="#767676").encode(x="without:Q", tooltip=tooltip)
    after = base.mark_point(filled=True, size=80, color=RANGED).encode(x="with_rule:Q", tooltip=tooltip)
    return alt.layer(line, before, after).properties(width="container", height=alt.Step(20))


def price_steps() -> alt.LayerChart:
    """Price of each size through the versions. Rows: version, size, points, points_txt."""
    base = alt.Chart(_data()).encode(
        x=alt.X("version:O", sort=None, title="points version", axis=alt.Axis(labelAngle=0)),
        y=alt.Y("points:Q", title="points", scale=alt.Scale(zero=True)),
        detail="size:N",
    )
    line = base.mark_line(interpolate="step-after", color=RANGED)
    dots = base.mark_point(filled=True, size=50, color=RANGED).encode(
        shape=alt.Shape("size:N", title="size"),
        tooltip=[
            alt.Tooltip("size:N", title="size"),
            alt.Tooltip("version:O", title="version"),
            alt.Tooltip("points_txt:N", title="points"),
        ],
    )
    return alt.layer(line, dots).properties(width="container", height=180)


def coverage() -> alt.Chart:
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
                scale=alt.Scale(
                    domain=["read", "changes no attack", "not understood"], range=["#0072B2", "#9ecae1", "#D55E00"]
                ),
            ),
            tooltip=[
                alt.Tooltip("origin:N", title="origin"),
                alt.Tooltip("status:N", title="status"),
                alt.Tooltip("texts:Q", title="texts"),
            ],
        )
        .properties(width="container", height=alt.Step(24))
    )


TEMPLATES = {
    "target_profile": target_profile,
    "wounds_profile": wounds_profile,
    "at_least_k": at_least_k,
    "ranking": ranking,
    "heat_map": heat_map,
    "durability": durability,
    "rule_lift": rule_lift,
    "price_steps": price_steps,
    "coverage": coverage,
}


def specifications() -> dict[str, dict[str, Any]]:
    """Every template as a Vega-Lite specification without data and without a theme (pages bring both)."""
    found = {}
    for name, make in TEMPLATES.items():
        specification = make().to_dict()
        specification.pop("config", None)
        found[name] = specification
    return found


def theme(dark: bool) -> dict[str, Any]:
    """The Vega configuration of the light or the dark theme."""
    ink, faint = ("#e6e8ea", "#3a424a") if dark else ("#1f2429", "#d8dde2")
    return {
        "background": "transparent",
        "font": "sans-serif",
        "view": {"stroke": None},
        "axis": {
            "labelColor": ink,
            "titleColor": ink,
            "gridColor": faint,
            "domainColor": faint,
            "tickColor": faint,
            "labelFontSize": 11,
            "titleFontSize": 11,
            "titleFontWeight": "normal",
        },
        "legend": {"labelColor": ink, "titleColor": ink, "orient": "top"},
        "text": {"color": ink},
        "title": {"color": ink},
    }
