"""The referee of madn, dmadn and dog: dog.md sections 3 to 8 with plain lists. Slow, obviously right.

Chance stands still until it is told: in phase ``throw`` a die is thrown, in phase ``deal`` cards are dealt. All other
phases are those of the notation: ``play``, ``exchange`` (dog in teams) and ``over``. Every function that changes
something gives a new state. No code of the engine.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from games.dog import plain_board, plain_options
from games.dog.plain_board import HOME, Board, in_goal, on_track
from games.dog.plain_options import Options

CARDS = ("JOKER", "SWAP", "2", "3", "4", "5", "6", "7", "8", "9", "10", "1/11", "12", "13")  # by the author's index
STEPS = (1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13)  # of the block "forward" in section 8.1
SPLITS = plain_board.splits(7, 4)
FULL_SET = [4, 4, 4, 4, 4, 4]


@dataclass
class State:
    game: str
    board: Board
    player: int
    phase: str
    starter: int = 0
    die: int | None = None  # madn
    tokens: list[list[int]] = field(default_factory=list)  # dmadn: how many of the values 1..6 each player has
    hands: list[list[str]] = field(default_factory=list)  # dog, as all below
    deck: list[str] = field(default_factory=list)
    used: list[str] = field(default_factory=list)  # played or dropped since the last shuffling
    gifts: list[str | None] = field(default_factory=list)  # by giver, until all have given
    deal: int = 0  # cards of the present deal, or of the next one in phase deal
    steps: int = 0
    winners: list[int] = field(default_factory=list)

    @property
    def options(self) -> Options:
        return self.board.options

    def copy(self) -> State:
        return replace(
            self,
            board=self.board.copy(),
            tokens=[[*row] for row in self.tokens],
            hands=[[*hand] for hand in self.hands],
            deck=[*self.deck],
            used=[*self.used],
            gifts=[*self.gifts],
            winners=[*self.winners],
        )


def new(game: str, options: dict[str, Any] | None = None, starter: int = 0) -> State:
    """The state before the first throw or deal."""
    chosen = plain_options.options_of(game, options)
    state = State(game, plain_board.new_board(chosen), starter, "play", starter)
    if game == "madn":
        state.phase = "throw"
    elif game == "dmadn":
        state.tokens = [[*FULL_SET] for _ in range(chosen.players)]
    else:
        state.hands, state.gifts = [[] for _ in range(chosen.players)], [None] * chosen.players
        state.deck, state.deal, state.phase = full_deck(chosen), 6, "deal"
    return state


def full_deck(options: Options) -> list[str]:
    number = dict.fromkeys(CARDS, 8) | {"JOKER": 6}
    if not options.joker:
        number["JOKER"] = 0
    if not options.swap:
        number["SWAP"] = 0
    return [card for card in CARDS for _ in range(number[card])]


# --- notation ----------------------------------------------------------------------------------------------------


def from_json(position: dict[str, Any]) -> State:
    """A position of the notation; without a ``deck`` all cards that are in no hand lie in it.

    Only with ``fresh_start_only`` a key ``fresh`` says for each player whether the pin on its start has just come out;
    without the key every pin on its start has.
    """
    game = position["game"]
    state = new(game, position.get("options"), position.get("starter") or 0)
    options, board = state.options, state.board
    board.pins = [[str(place) for place in row] for row in position["pins"]]
    fresh = position.get("fresh", [True] * options.players)
    board.fresh = {
        (player, pin)
        for player, row in enumerate(board.pins)
        for pin, place in enumerate(row)
        if place == str(plain_board.start_field(options, player)) and fresh[player]
    }
    state.steps = position.get("steps", 0)
    state.phase = position.get("phase", "play")
    if game == "madn":
        state.die = position.get("die")
        state.phase = "play" if state.die else "throw"
    if game == "dmadn":
        state.tokens = [[*row] for row in position["tokens"]]
    if game == "dog":
        state.hands = [in_order(hand) for hand in position["hands"]]
        state.gifts = list(position.get("gifts", state.gifts))
        state.deal = position.get("deal", 6)
        held = [card for hand in state.hands for card in hand] + [card for card in state.gifts if card]
        rest = Counter(full_deck(options))
        rest.subtract(held)
        deck = Counter(position.get("deck", rest))
        rest.subtract(deck)
        assert min(rest.values()) >= 0, "more cards than there are"
        state.deck, state.used = in_order(deck.elements()), in_order(rest.elements())
    if position["player"] is not None:
        state.player = position["player"]
    end_if_decided(state)
    return state


def to_json(state: State) -> dict[str, Any]:
    over = state.phase == "over"
    position: dict[str, Any] = {
        "game": state.game,
        "options": plain_options.as_json(state.options),
        "player": None if over else state.player,
        "phase": state.phase,
        "starter": state.starter,
        "pins": [[*row] for row in state.board.pins],
    }
    if state.game == "madn":
        position["die"] = state.die
    if state.game == "dmadn":
        position["tokens"] = [[*row] for row in state.tokens]
    if state.game == "dog":
        position |= {
            "hands": [[*hand] for hand in state.hands],
            "deck": dict(Counter(state.deck)),
            "gifts": [*state.gifts],
            "deal": state.deal,
        }
    if state.options.fresh_start_only:
        fresh_players = {player for player, _ in state.board.fresh}
        position["fresh"] = [player in fresh_players for player in range(state.options.players)]
    if state.options.max_steps is not None:
        position["steps"] = state.steps
    return position


def in_order(cards: Any) -> list[str]:
    return sorted(cards, key=CARDS.index)


# --- chance ------------------------------------------------------------------------------------------------------


def die_chances(state: State) -> list[Fraction]:
    """How likely the values 1..6 are to be used: one throw, or the three tries of section 3."""
    tries = 3 if state.options.rethrow and soft_locked(state) else 1
    chances = [Fraction(0)] * 6
    for throws in product(range(1, 7), repeat=tries):
        value = next((value for value in throws if value in leaving_values(state)), throws[-1])
        chances[value - 1] += Fraction(1, 6**tries)
    return chances


def soft_locked(state: State) -> bool:
    """Only home pins could move: none is on the track, and those in the goal fill its far end."""
    places = state.board.pins[moved_player(state)]
    packed = [f"G{3 - i}" for i in range(sum(in_goal(place) for place in places))]
    return not any(on_track(place) for place in places) and all(goal in places for goal in packed)


def leaving_values(state: State) -> tuple[int, ...]:
    return (1, 6) if state.options.start_on_1 else (6,)


def throw(state: State, value: int) -> State:
    assert state.phase == "throw" and 1 <= value <= 6
    after = state.copy()
    after.die, after.phase = value, "play"
    return after


def pile(state: State) -> list[str]:
    """What is dealt from: the rest of the pack, or all of it anew if the rest does not suffice for everybody."""
    enough = len(state.deck) >= state.options.players * state.deal
    return [*state.deck] if enough else full_deck(state.options)


def deal(state: State, hands: list[list[str]]) -> State:
    """Give everybody these cards."""
    assert state.phase == "deal" and all(len(hand) == state.deal for hand in hands)
    after = state.copy()
    cards = pile(state)
    if len(cards) > len(state.deck):
        after.used = []
    for hand in hands:
        for card in hand:
            cards.remove(card)
    after.deck, after.hands = in_order(cards), [in_order(hand) for hand in hands]
    after.phase = "exchange" if after.options.in_teams else "play"
    after.player = after.starter
    return after


def let_chance_decide(state: State, rng: Random) -> State:
    """Throw or deal if that is due."""
    if state.phase == "throw":
        return throw(state, rng.choices(range(1, 7), [float(chance) for chance in die_chances(state)])[0])
    if state.phase == "deal":
        cards, size = pile(state), state.deal
        rng.shuffle(cards)
        return deal(state, [cards[size * player : size * (player + 1)] for player in range(state.options.players)])
    return state


# --- what may be done --------------------------------------------------------------------------------------------


def moved_player(state: State) -> int:
    """Section 6: whose pins the player on turn moves, its own or, when they are all in, its partner's."""
    if state.options.in_teams and all_in_goal(state.board, state.player):
        return (state.player + 2) % 4
    return state.player


def all_in_goal(board: Board, player: int) -> bool:
    return all(in_goal(place) for place in board.pins[player])


def moves(state: State) -> list[str]:
    """The legal moves as text; none when the game is over or chance has to decide."""
    if state.phase == "exchange":
        return [f"give:{card}" for card in CARDS if card in state.hands[state.player]]
    if state.phase != "play":
        return []
    return list(boards_after(state)) or ["fold" if state.game == "dog" else "pass"]


def boards_after(state: State) -> dict[str, Board]:
    """All legal moves of a pin, and the board after each."""
    if state.game == "dog":
        tried: dict[str, Board | None] = {}
        for card in CARDS:
            if card in state.hands[state.player]:
                tried |= uses_of_card(state, card)
        return {move: board for move, board in tried.items() if board is not None}
    if state.game == "madn":
        assert state.die
        tried = {f"p{pin}": by_value(state, pin, state.die) for pin in range(4)}
        legal = forced_starts(state, {move: board for move, board in tried.items() if board is not None})
    else:
        values = [value for value in range(1, 7) if state.tokens[state.player][value - 1]]
        tried = {f"p{pin}:{value}": by_value(state, pin, value) for pin in range(4) for value in values}
        legal = {move: board for move, board in tried.items() if board is not None}
    return forced_attacks(state, legal)


def by_value(state: State, pin: int, value: int) -> Board | None:
    """A pin moved by a die or a token."""
    owner = moved_player(state)
    if state.board.pins[owner][pin] == HOME:
        return plain_board.leave_home(state.board, owner, pin) if value in leaving_values(state) else None
    return plain_board.forward(state.board, owner, pin, value)


def forced_starts(state: State, legal: dict[str, Board]) -> dict[str, Board]:
    """Section 7: a pin that can leave home must; else, while pins wait, the own start must be cleared."""
    owner = moved_player(state)
    places = state.board.pins[owner]
    if not state.options.forced_start or HOME not in places:
        return legal
    start = str(plain_board.start_field(state.options, owner))
    leaving = {move: board for move, board in legal.items() if places[int(move[1])] == HOME}
    clearing = {move: board for move, board in legal.items() if places[int(move[1])] == start}
    return leaving or clearing or legal


def forced_attacks(state: State, legal: dict[str, Board]) -> dict[str, Board]:
    """Section 7: if a move hits a foreign pin, the partner's included, only such moves are legal."""
    others = [player for player in range(state.options.players) if player != moved_player(state)]

    def at_home(board: Board) -> int:
        return sum(board.pins[player].count(HOME) for player in others)

    hitting = {move: board for move, board in legal.items() if at_home(board) > at_home(state.board)}
    return hitting if state.options.forced_attack and hitting else legal


def uses_of_card(state: State, card: str) -> dict[str, Board | None]:
    """All that might be done with a card of dog, None where it is illegal. A joker is any other card."""
    options, board, owner = state.options, state.board, moved_player(state)

    def is_any_of(*names: str) -> bool:
        return card == "JOKER" or card in names

    steps = [number for number in range(2, 14) if number not in (7, 11) and is_any_of(str(number))]
    if is_any_of("1/11"):
        steps += [1, 11]
    if is_any_of("7") and not options.hot_7:
        steps += [7]
    tried: dict[str, Board | None] = {}
    for pin in range(4):
        if is_any_of("1/11", "13"):
            tried[f"start:{card}:p{pin}"] = plain_board.leave_home(board, owner, pin)
        for number in steps:
            tried[f"move:{card}:p{pin}:{number}"] = plain_board.forward(board, owner, pin, number)
        if is_any_of("4") and options.neg_4:
            tried[f"move:{card}:p{pin}:-4"] = plain_board.backward(board, owner, pin)
        if is_any_of("SWAP") and options.swap:
            for other, other_pin in product(range(options.players), range(4)):
                swapped = plain_board.exchange(board, owner, pin, other, other_pin)
                tried[f"swap:{card}:p{pin}:P{other}.{other_pin}"] = swapped
    if is_any_of("7") and options.hot_7:
        for parts in SPLITS:
            tried[f"seven:{card}:{','.join(map(str, parts))}"] = plain_board.seven(board, owner, parts)
    return tried


# --- what happens ------------------------------------------------------------------------------------------------


def play(state: State, move: str) -> State:
    """The state after a legal move."""
    boards = boards_after(state) if state.phase == "play" else {}
    if move not in boards and move not in moves(state):
        raise ValueError(f"{move!r} is not legal; legal are {moves(state)}")
    after = state.copy()
    after.steps += 1
    if move in boards:
        after.board = boards[move]
    if state.phase == "exchange":
        give(after, move.removeprefix("give:"))
    elif state.game == "dog":
        play_card(after, move)
    else:
        play_value(after, move)
    end_if_decided(after)
    return after


def play_value(state: State, move: str) -> None:
    """By the die or a token; a six that is moved gives another turn."""
    mover, value = state.player, state.die
    if state.game == "dmadn":
        own = state.tokens[mover]
        if move != "pass":
            value = int(move.split(":")[1])
            own[value - 1] -= 1
        if move == "pass" or not any(own):
            state.tokens[mover] = [*FULL_SET]
    if move == "pass" or value != 6 or not state.options.extra_move_on_6:
        state.player = (mover + 1) % state.options.players
    if state.game == "madn":
        state.die, state.phase = None, "throw"


def play_card(state: State, move: str) -> None:
    """Play one card or drop all; then the next player with cards, or the next deal."""
    mover, players = state.player, state.options.players
    put_down = [*state.hands[mover]] if move == "fold" else [move.split(":")[1]]
    state.used = in_order([*state.used, *put_down])
    for card in put_down:
        state.hands[mover].remove(card)
    following = [(mover + i) % players for i in range(1, players + 1)]
    with_cards = [player for player in following if state.hands[player]]
    if with_cards:
        state.player = with_cards[0]
        return
    state.starter = (state.starter + 1) % players
    state.player, state.phase = state.starter, "deal"
    state.deal = state.deal - 1 if state.deal > 2 else 6


def give(state: State, card: str) -> None:
    """Lay a card aside for the partner; when all have, everybody gets theirs and the starter plays."""
    state.hands[state.player].remove(card)
    state.gifts[state.player] = card
    state.player = (state.player + 1) % 4
    if None in state.gifts:
        return
    for giver, gift in enumerate(state.gifts):
        assert gift
        partner = (giver + 2) % 4
        state.hands[partner] = in_order([*state.hands[partner], gift])
    state.gifts = [None] * 4
    state.phase, state.player = "play", state.starter


def end_if_decided(state: State) -> None:
    players, limit = state.options.players, state.options.max_steps
    complete = [player for player in range(players) if all_in_goal(state.board, player)]
    if state.options.in_teams:
        complete = [player for player in complete if (player + 2) % 4 in complete]
    state.winners = complete
    if complete or (limit is not None and state.steps >= limit):
        state.phase = "over"


def scores(state: State) -> list[float]:
    """One for every winner, nothing for the others; a draw is shared by all."""
    assert state.phase == "over"
    players = range(state.options.players)
    if not state.winners:
        return [1 / state.options.players for _ in players]
    return [float(player in state.winners) for player in players]


# --- section 8: numbers of actions -------------------------------------------------------------------------------


def actions(state: State) -> dict[int, str]:
    """The legal numbers and the move of each; a pass and a fold have none."""
    return {number: move for move in moves(state) for number in numbers(state, move)}


def numbers(state: State, move: str) -> list[int]:
    """All numbers of a move in ascending order: bringing out with 1/11 has two, with a joker three, pass and fold none.

    A seven that is not hot has no number in section 8.1; here it has that of the split with all seven on its pin.
    """
    if move in ("pass", "fold"):
        return []
    if state.game == "madn":
        return [int(move[1])]
    if state.game == "dmadn":
        return [6 * int(move[1]) + int(move[3]) - 1]
    fields = plain_board.track_length(state.options) + 16
    half = 4 * fields + 120 + 48 + 4
    kind, card, *words = move.split(":")
    if kind == "give":
        return [2 * half + CARDS.index(card)]
    begin = 0 if card == "JOKER" else half
    seven_begin, forward_begin, minus_begin = begin + 4 * fields, begin + 4 * fields + 120, begin + 4 * fields + 168
    if kind == "seven":
        return [seven_begin + SPLITS.index(tuple(int(part) for part in words[0].split(",")))]
    pin = int(words[0][1])
    if kind == "swap":
        other, other_pin = words[1][1:].split(".")
        return [begin + fields * pin + int(state.board.pins[int(other)][int(other_pin)])]
    if kind == "start":
        values = {"JOKER": (1, 11, 13), "1/11": (1, 11), "13": (13,)}[card]
        return [forward_begin + 12 * pin + STEPS.index(value) for value in values]
    if words[1] == "-4":
        return [minus_begin + pin]
    if words[1] == "7":
        return [seven_begin + SPLITS.index(tuple(7 * (one == pin) for one in range(4)))]
    return [forward_begin + 12 * pin + STEPS.index(int(words[1]))]
