"""Nim in a package of its own: all that Stammtisch needs to know is here and in this folder."""

from stammtisch.core.info import AgentInfo, GameInfo, Option

COUNTS = AgentInfo(
    name="counts",
    summary="Leaves a multiple of four where it can, at once",
    loader="nim.agents:Counts",
    options=(Option("slips", 0.0, "share of moves that it does not think about", low=0.0, high=1.0),),
)
INFO = GameInfo(
    name="nim",
    title="Nim",
    summary="Take one to three stones; whoever takes the last one wins",
    seats=(2, 2),
    loader="nim.game:Nim",
    options=(
        Option("stones", 15, "how many lie there at the beginning", low=4, high=40),
        Option("trace", 0, "a number for learners", low=0, high=9, expert=True),
    ),
    agents=(COUNTS,),
    ladder=("random", "counts:slips=0.5", "mcts:iterations=200", "counts"),
    place=50,
)
