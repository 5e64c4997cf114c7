"""One sentence at a time: its segments in order, what it carries over from the one before, all of it or nothing.

Belongs here: the frame of a sentence. Does not belong here: lines, bullets, options (`document`).
"""

from dataclasses import replace

from pipelines.rules_text.clauses import Clauses
from pipelines.rules_text.discourse import Frame, NotUnderstood
from pipelines.rules_text.nodes import Segment
from pipelines.rules_text.ordering import (
    attach_suffixes,
    drop_harmless_brackets,
    is_choice,
    or_is_instead,
    share_owner,
    spread_instead,
)
from pipelines.rules_text.reading import CLAUSES, read_sentence
from pipelines.rules_text.tokens import either


class SentenceReader(Clauses):
    """Reads sentences in order; one that cannot be read leaves the discourse as it was."""

    def read(self, sentence: str) -> None:
        """One sentence; adds its effects to the discourse or raises `NotUnderstood`."""
        segments, stopped = read_sentence(drop_harmless_brackets(sentence))
        if stopped is not None:
            raise NotUnderstood(stopped)
        start = len(self.d.effects)
        kept = replace(self.d, effects=list(self.d.effects), states=dict(self.d.states), harmless=list(self.d.harmless))
        segments = or_is_instead(segments)
        frame = self._new_frame(segments)
        frame.outcomes = sum(s.kind == "outcome" for s in segments)
        try:
            for segment in segments:
                if segment.alternative and segment.kind in CLAUSES and not is_choice(segment):
                    raise NotUnderstood(segment.text)
            for segment, conditions in attach_suffixes(spread_instead(share_owner(segments))):
                if conditions:
                    self._apply_under(segment, conditions, frame)
                else:
                    self._apply(segment, frame)
        except NotUnderstood:
            del self.d.effects[start:]
            self.d = kept
            raise
        self.d.previous = frame

    def _new_frame(self, segments: tuple[Segment, ...]) -> Frame:
        frame = Frame()
        previous = self.d.previous
        first = segments[0].kind if segments else ""
        text = segments[0].text if segments else ""
        continues = first in {
            "duration",
            "outcome",
            "roll",
            "harmless",
            "mortal",
            "deny_cover",
            "keep_in_play",
            "fight_on_death",
            "reroll_result",
        }
        continues = continues or (
            first == "once"
            and text
            not in {"in addition", "once per battle", "once per turn", "once per phase", "once per battle round"}
        )
        continues = continues or (first == "holds" and segments[0]["word"] == "if")
        continues = continues or (first == "opaque" and text.startswith(("if ", "for ")))
        own_timing = any(s.kind in {"timing", "after_attacks", "selected_to", "is_targeted"} for s in segments)
        if previous is not None and continues:
            frame.conditions = list(previous.conditions)
            frame.dice, frame.per = previous.dice, previous.per
            frame.destroyed, frame.destroyed_type = previous.destroyed, previous.destroyed_type
            frame.reroll_rolls = list(previous.reroll_rolls)
            frame.stratagem = previous.stratagem
            frame.raised = previous.raised
            if (
                first not in {"roll"}
                and not any(s.kind == "outcome" for s in segments)
                and previous.success_on is not None
                and first in {"harmless", "fight_on_death", "keep_in_play"}
            ):
                frame.success_on = previous.success_on
            if not own_timing:
                frame.phases = previous.phases
        if not own_timing and not frame.phases and (self.d.rule.origin == "stratagem" or continues):
            frame.phases = self.d.phases
        if self.d.rule.origin == "stratagem" and not own_timing:
            frame.phases = frame.phases or self.d.phases
        return frame

    def _apply_under(self, segment: Segment, conditions: list[Segment], frame: Frame) -> None:
        """A clause with the conditions that follow it: they hold for this clause only."""
        kept, attack, critical = list(frame.conditions), frame.attack, frame.critical
        for condition in conditions:
            self._apply(condition, frame)
        self._apply(segment, frame)
        frame.conditions, frame.attack, frame.critical = kept, attack, critical

    def _apply(self, segment: Segment, frame: Frame) -> None:
        before = len(frame.conditions)
        said = frame.attack.condition if frame.attack is not None else ()
        self._apply_one(segment, frame)
        added = frame.conditions[before:]
        if (
            segment.alternative
            and not added
            and before > 0
            and frame.attack is not None
            and said != frame.attack.condition
        ):
            of_attack = [token for token in frame.attack.condition if token not in said]
            frame.attack = replace(frame.attack, condition=said)
            frame.conditions[before - 1] = either(frame.conditions[before - 1], of_attack[-1])
        if segment.alternative and added and before > 0:
            frame.conditions[before - 1 :] = [either(frame.conditions[before - 1], added[-1]), *added[:-1]]

    def _apply_one(self, segment: Segment, frame: Frame) -> None:
        method = getattr(self, f"on_{segment.kind}", None)
        if method is None:
            raise NotUnderstood(segment.text or segment.kind)
        try:
            method(segment, frame)
        except NotUnderstood as stop:
            missing = str(stop)
            if missing == segment.text or len(missing) > 60:
                raise
            raise NotUnderstood(f"{missing} [in: {segment.text}]") from None
