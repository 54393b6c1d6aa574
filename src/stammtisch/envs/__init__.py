"""Doors for other people's learners: importing this makes Gymnasium know ``stammtisch/Tichu-v1`` and all other games.

``stammtisch/Clever-v0`` and ``-v1`` are one player alone; ``stammtisch/Game-v1`` takes the game's name as an argument.
Without Gymnasium there is still ``stammtisch.envs.vector``.
"""

from importlib.util import find_spec

from stammtisch.core.registry import games


def _register() -> None:
    import gymnasium

    for version, options in (("v0", {"rules": "thesis"}), ("v1", {"rules": "official", "observation": "full"})):
        gymnasium.register(
            id=f"stammtisch/Clever-{version}",
            entry_point="stammtisch.envs.clever:CleverEnv",
            vector_entry_point="stammtisch.envs.clever:CleverVectorEnv",
            kwargs=options,
        )
    for name, given in (("Game", {}), *((name.capitalize(), {"game": name}) for name in games())):
        if f"stammtisch/{name}-v1" not in gymnasium.registry:
            gymnasium.register(
                id=f"stammtisch/{name}-v1",
                entry_point="stammtisch.envs.gym:GameEnv",
                vector_entry_point="stammtisch.envs.gym:GameVectorEnv",
                kwargs=given,
            )


if find_spec("gymnasium") is not None:
    _register()
