"""What counts as a known weapon keyword is what the resolution model resolves."""

import pytest

from models.keywords import PLAIN as MODELLED_PLAIN
from models.keywords import VALUED as MODELLED_VALUED
from pipelines.sources.weapon_keywords import PLAIN, WITH_VALUE, parse_keyword


def test_every_modelled_keyword_can_be_spelt():
    assert set(PLAIN) >= MODELLED_PLAIN
    assert set(WITH_VALUE) >= MODELLED_VALUED


@pytest.mark.parametrize(
    ("printed", "known"), [("linked fire", False), ("cleave 1", False), ("melta 2", True), ("lance", True)]
)
def test_only_what_is_resolved_is_known(printed: str, known: bool):
    keyword = parse_keyword(printed)
    assert keyword is not None and keyword.is_known is known
