"""The course of a round, followed line by line: every line becomes actions of the kernel, or a finding.

The kernel asks everybody who holds a bomb before a trick goes on; a log only knows bombs that were thrown. So each
question is answered with no until the log's next line is a bomb of the seat that is asked. What the log writes and
the kernel does not need, the owner's pass on his own trick, is checked and dropped.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stammtisch.core.compiling import compiled
from stammtisch.core.kernel import Actions, Record
from stammtisch.core.rng import Rng
from stammtisch.games.tichu.cards import DRAGON_BIT, MAHJONG_BIT, nibble
from stammtisch.games.tichu.combinations import (
    BOMB,
    LOWER,
    cards_of,
    flush_cards,
    kind_of,
    list_plays,
    obey_wish,
)
from stammtisch.games.tichu.combinations import PASS as PASSES
from stammtisch.games.tichu.readings import is_higher, read_play
from stammtisch.games.tichu.rules import (
    ANNOUNCE,
    BOMB_PHASE,
    CALL_TICHU,
    DRAGON_PHASE,
    ENDED,
    GIVE_DRAGON,
    NOBODY,
    SEATS,
    WISH_NONE,
    may_announce,
    next_active,
    player,
    trick_is_over,
)
from stammtisch.games.tichu.rules import PLAY as PLAY_PHASE
from stammtisch.games.tichu.rules import WISH as WISH_PHASE
from stammtisch.logs.findings import (
    ANNOUNCEMENT_NOT_POSSIBLE,
    CARD_ALREADY_PLAYED,
    CARD_NOT_IN_HAND,
    COMBINATION_NOT_PLAYABLE,
    DRAGON_GIVEN_TO_OWN_TEAM,
    DRAGON_GIVEN_WITHOUT_BEAT,
    DRAGON_NOT_GIVEN,
    HISTORY_TOO_LONG,
    HISTORY_TOO_SHORT,
    OWNER_PASS_MISSING,
    PASS_NOT_POSSIBLE,
    PLAYER_NOT_ON_TURN,
    WISH_NOT_FOLLOWED,
    WISH_WITHOUT_MAHJONG,
)
from stammtisch.logs.judge.notes import break_off, do, note
from stammtisch.logs.judge.phoenix import meant
from stammtisch.logs.rounds import DRAGON, EARLY_TICHU, PASS, PLAY, TAKE, TICHU, WISH, Rows


@compiled
def _is_decided(state: Record) -> bool:
    """Whether nobody can play any more; the dragon may still have to be given away."""
    return state.phase == ENDED or (state.phase == DRAGON_PHASE and state.out_count == SEATS - 1)


@compiled
def follow(
    one: Record,
    events: Rows,
    state: Record,
    table: Record,
    verdict: Record,
    actions: Actions,
    human: NDArray[np.bool_],
    findings: Rows,
    buffer: Actions,
    rng: Rng,
) -> None:
    """Follow the log line by line."""
    for seat in range(SEATS):
        table.called_at[seat], table.first_play[seat] = -1, len(events)
    for i in range(len(events) - 1, -1, -1):
        if events[i].kind == TICHU:
            table.called_at[events[i].seat] = i
        elif events[i].kind == PLAY:
            table.first_play[events[i].seat] = i
    for i in range(len(events)):
        event = events[i]
        kind, line, seat = int(event.kind), int(event.line), int(event.seat)
        if kind == EARLY_TICHU:
            continue
        if state.phase == WISH_PHASE and kind != WISH and kind != TICHU:
            do(state, table, verdict, actions, human, WISH_NONE, True, rng)
        if kind == TICHU:
            _call(events, i, state, table, verdict, actions, human, findings, rng)
        elif kind == WISH:
            if state.phase == WISH_PHASE:
                do(state, table, verdict, actions, human, WISH_NONE + int(event.value), True, rng)
                verdict.wish = event.value
            else:
                note(table, verdict, findings, WISH_WITHOUT_MAHJONG, line, int(event.value))
        elif _is_decided(state) and kind != DRAGON:
            if not table.too_long:
                note(table, verdict, findings, HISTORY_TOO_LONG, line, 0)
            table.too_long = 1
        elif kind == PLAY:
            _play(events, i, state, table, verdict, actions, human, findings, buffer, rng)
        else:
            _decline(state, table, verdict, actions, human, NOBODY, rng)
            if kind == DRAGON:
                _give_dragon(line, seat, state, table, verdict, actions, human, findings, rng)
            elif kind == TAKE:
                if table.takes != seat:
                    break_off(table, verdict, findings, PLAYER_NOT_ON_TURN, line, seat)
                table.takes = NOBODY
            elif state.phase == DRAGON_PHASE:
                break_off(table, verdict, findings, DRAGON_NOT_GIVEN, line, int(state.turn))
            else:
                _pass(line, seat, state, table, verdict, actions, human, findings, buffer, rng)
        if table.broken:
            return
    if state.phase == WISH_PHASE:
        do(state, table, verdict, actions, human, WISH_NONE, True, rng)
    _decline(state, table, verdict, actions, human, NOBODY, rng)
    if state.phase == DRAGON_PHASE:
        break_off(table, verdict, findings, DRAGON_NOT_GIVEN, int(one.last_line), int(state.turn))
    elif state.phase != ENDED:
        break_off(table, verdict, findings, HISTORY_TOO_SHORT, int(one.last_line), 0)


@compiled
def _decline(
    state: Record, table: Record, verdict: Record, actions: Actions, human: NDArray[np.bool_], bomber: int, rng: Rng
) -> None:
    """Answer the questions for bombs with no, up to that of the ``bomber``."""
    while state.phase == BOMB_PHASE and state.asked != bomber:
        do(state, table, verdict, actions, human, PASSES, False, rng)


@compiled
def _bomber(seat: int, play: int, state: Record, table: Record) -> int:
    """Whose question for a bomb this play answers: ``seat``'s, or nobody's if it is no bomb or leads a trick.

    When all have passed on the trick of somebody who is out, the log says nothing of its end, and the next seat's bomb
    may beat it or lead. It beats it, unless it is too low for that or ``table.led`` says that it leads.
    """
    if kind_of(play) < BOMB:
        return NOBODY
    if not _may_be_taken(state) or next_active(state, state.owner) != seat:
        return seat
    if not is_higher(play, int(state.kind), int(state.rank)):
        return NOBODY
    table.doubts |= 1 << state.owner
    return NOBODY if table.led >> state.owner & 1 else seat


@compiled
def _may_be_taken(state: Record) -> bool:
    """Whether the trick may be over without a line: its owner is out, and it has no dragon to give away."""
    waits = state.phase == BOMB_PHASE and trick_is_over(state)
    return waits and state.hand[state.owner] == 0 and state.top != DRAGON_BIT


@compiled
def _call(
    events: Rows,
    i: int,
    state: Record,
    table: Record,
    verdict: Record,
    actions: Actions,
    human: NDArray[np.bool_],
    findings: Rows,
    rng: Rng,
) -> None:
    """A small tichu. Some click twice; one directly after the first own play was only written down late."""
    seat, line = int(events[i].seat), int(events[i].line)
    if table.called_at[seat] != i:
        return
    if table.first_play[seat] < i and (state.announced[seat] or table.ignored):  # made before that play, see _play
        for j in range(table.first_play[seat] + 1, i):
            if events[j].kind == PLAY or events[j].kind == PASS:
                table.late |= 1 << seat
        if table.late >> seat & 1:
            note(table, verdict, findings, ANNOUNCEMENT_NOT_POSSIBLE, line, seat)
        return
    following = i + 1
    while following < len(events) and events[following].kind == TICHU:
        following += 1
    plays = following < len(events) and events[following].kind == PLAY and events[following].seat == seat
    if plays and state.phase != WISH_PHASE:  # his own turn, or his bomb, has come
        bomber = _bomber(seat, read_play(events[following].cards), state, table)
        _decline(state, table, verdict, actions, human, bomber, rng)
    if not may_announce(state, seat):
        note(table, verdict, findings, ANNOUNCEMENT_NOT_POSSIBLE, line, seat)
        return
    _announce(seat, state, table, verdict, actions, human, rng)
    verdict.premature[seat] = not plays


@compiled
def _announce(
    seat: int, state: Record, table: Record, verdict: Record, actions: Actions, human: NDArray[np.bool_], rng: Rng
) -> None:
    action = CALL_TICHU if player(state) == seat else ANNOUNCE + seat
    do(state, table, verdict, actions, human, action, True, rng)
    verdict.tichu[seat] = verdict.turns
    verdict.suicidal[seat] = state.out_count > 0


@compiled
def _play(
    events: Rows,
    i: int,
    state: Record,
    table: Record,
    verdict: Record,
    actions: Actions,
    human: NDArray[np.bool_],
    findings: Rows,
    buffer: Actions,
    rng: Rng,
) -> None:
    event = events[i]
    seat, line, cards = int(event.seat), int(event.line), int(event.cards)
    play = read_play(cards)
    _decline(state, table, verdict, actions, human, _bomber(seat, play, state, table), rng)
    if state.phase == DRAGON_PHASE:
        break_off(table, verdict, findings, DRAGON_NOT_GIVEN, line, int(state.turn))
    elif cards & table.played:
        break_off(table, verdict, findings, CARD_ALREADY_PLAYED, line, cards & table.played)
    elif cards & ~state.hand[seat]:
        break_off(table, verdict, findings, CARD_NOT_IN_HAND, line, cards & ~state.hand[seat])
    elif play == PASSES:
        break_off(table, verdict, findings, COMBINATION_NOT_PLAYABLE, line, cards)
    elif seat != player(state):
        break_off(table, verdict, findings, PLAYER_NOT_ON_TURN, line, seat)
    else:
        play = meant(events, i, state, play)
        if not is_higher(play, int(state.kind), int(state.rank)):
            break_off(table, verdict, findings, COMBINATION_NOT_PLAYABLE, line, cards)
    if table.broken:
        return
    _taken(line, table, verdict, findings)
    if state.phase == PLAY_PHASE and _owes_wish(state, play, buffer):
        note(table, verdict, findings, WISH_NOT_FOLLOWED, line, seat)
    late = table.called_at[seat] > i and i == table.first_play[seat]  # it was written down after this play
    if late and not table.ignored >> seat & 1 and may_announce(state, seat):
        _announce(seat, state, table, verdict, actions, human, rng)
    nobody_out = state.out_count == 0
    table.played |= cards
    verdict.phoenix_low |= play & LOWER != 0
    verdict.bombs_played += kind_of(play) >= BOMB
    if cards & MAHJONG_BIT:
        verdict.wish = 0
    do(state, table, verdict, actions, human, play, True, rng)
    if nobody_out and state.out_count:
        verdict.winner_turn = verdict.turns
    verdict.turns += 1


@compiled
def _pass(
    line: int,
    seat: int,
    state: Record,
    table: Record,
    verdict: Record,
    actions: Actions,
    human: NDArray[np.bool_],
    findings: Rows,
    buffer: Actions,
    rng: Rng,
) -> None:
    if seat != state.turn:
        break_off(table, verdict, findings, PLAYER_NOT_ON_TURN, line, seat)
    elif state.kind == PASSES:
        break_off(table, verdict, findings, PASS_NOT_POSSIBLE, line, seat)
    else:
        if _owes_wish(state, PASSES, buffer):
            note(table, verdict, findings, WISH_NOT_FOLLOWED, line, seat)
        do(state, table, verdict, actions, human, PASSES, True, rng)
        verdict.turns += 1


@compiled
def _taken(line: int, table: Record, verdict: Record, findings: Rows) -> None:
    """The next trick begins: the owner of the last one should have said that he takes it."""
    if table.takes != NOBODY:
        note(table, verdict, findings, OWNER_PASS_MISSING, line, int(table.takes))
        table.takes = NOBODY


@compiled
def _owes_wish(state: Record, play: int, buffer: Actions) -> bool:
    """Whether the seat on turn, playing or passing this, does not fulfil a wish that it could fulfil."""
    wish, hand = int(state.wish), state.hand[state.turn]
    if wish <= 0 or nibble(hand, wish) == 0 or nibble(cards_of(play), wish) or kind_of(play) >= BOMB:
        return False
    n = list_plays(hand, flush_cards(hand), int(state.kind), int(state.rank), buffer)
    return obey_wish(hand, wish, True, buffer, n) < 0


@compiled
def _give_dragon(
    line: int,
    seat: int,
    state: Record,
    table: Record,
    verdict: Record,
    actions: Actions,
    human: NDArray[np.bool_],
    findings: Rows,
    rng: Rng,
) -> None:
    if state.phase != DRAGON_PHASE:
        note(table, verdict, findings, DRAGON_GIVEN_WITHOUT_BEAT, line, seat)
        return
    if (seat ^ state.turn) & 1 == 0:
        note(table, verdict, findings, DRAGON_GIVEN_TO_OWN_TEAM, line, seat)
    verdict.dragon_giver, verdict.dragon_recipient = state.turn, seat
    do(state, table, verdict, actions, human, GIVE_DRAGON + seat, True, rng)
