"""Numbers and missing values as a reader sees them: one function per kind, used by pages, charts and tables alike.

Belongs here: rounding for display (half away from zero) and the words for reason codes. Does not belong here: stored
values, which keep full precision.
"""

import math
from decimal import ROUND_HALF_UP, Decimal

MINUS = "\u2212"

REASON_WORDS = {
    "zero_damage": "no damage",
    "no_points": "no points",
    "no_target_points": "no points",
    "from_zero": "from nothing",
    "free": "free",
    "one_sided": "one-sided",
    "small_pool": "pool too small",
    "out_of_range": "out of range",
    "not_modelled": "not modelled",
    "not_applicable": "-",
}


def words(reason: str | None) -> str:
    """The words for a reason code; a dash where there is none."""
    return REASON_WORDS.get(reason or "", "-")


def rounded(value: float, decimals: int) -> str:
    """Fixed decimals, half away from zero, with a true minus sign and no negative zero."""
    quantum = Decimal(1).scaleb(-decimals)
    number = Decimal(repr(float(value))).quantize(quantum, rounding=ROUND_HALF_UP)
    text = f"{abs(number):.{decimals}f}"
    return MINUS + text if number < 0 else text


def missing(value: float | None) -> bool:
    """Whether there is no value."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def chance(value: float | None, reason: str | None = None) -> str:
    """A probability as whole per cent; `<1 %` and `>99 %` where it is neither impossible nor certain."""
    if value is None or missing(value):
        return words(reason)
    if value <= 0:
        return "0 %"
    if value >= 1:
        return "100 %"
    if value < 0.01:
        return "<1 %"
    return ">99 %" if value > 0.99 else f"{rounded(100 * value, 0)} %"


def expected(value: float | None, reason: str | None = None) -> str:
    """An expected count: two decimals below 10, else one; `<0.01` where it is small and not nothing."""
    if value is None or missing(value):
        return words(reason)
    if 0 < value < 0.005:
        return "<0.01"
    return rounded(value, 2 if value < 9.995 else 1)


def points_per_wound(value: float | None, reason: str | None = None) -> str:
    """Points for one wound lost: one decimal below 100, whole above, `1000+` above 1,000."""
    if value is None or missing(value):
        return words(reason)
    if value > 1000:
        return "1000+"
    return rounded(value, 1 if value < 99.95 else 0)


def points(value: float | None, reason: str | None = "no_points") -> str:
    """A price."""
    return words(reason) if value is None or missing(value) else rounded(value, 0)


def share(value: float | None, reason: str | None = None, signed: bool = False) -> str:
    """A return, waste or gain in per cent: whole, one decimal below 1 %, `<0.1 %` where it is small and not nothing."""
    if value is None or missing(value):
        return words(reason)
    percent = 100 * value
    if percent == 0:
        return "0 %"
    if abs(percent) < 0.05:
        return "<0.1 %"
    text = rounded(percent, 1 if abs(percent) < 0.95 else 0)
    return f"{'+' if signed and percent > 0 else ''}{text} %"


def target_roll(value: float | None) -> str:
    """A roll needed: `3+`; a dash where there is none."""
    return "-" if value is None or missing(value) else f"{int(value)}+"


def whole(value: float | None) -> str:
    """A whole number with thousands separated, a dash where there is none."""
    return "-" if value is None or missing(value) else f"{int(value):,}"


def plural(count: int, one: str, many: str | None = None) -> str:
    """`1 model`, `5 models`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
