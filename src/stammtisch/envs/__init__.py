"""Doors for other people's learners: environments of Gymnasium, registered as ``stammtisch/...``."""


def register() -> None:
    """Called by Gymnasium when it looks for environments."""
    import gymnasium

    for name, options in (("v0", {"rules": "thesis"}), ("v1", {"rules": "official", "observation": "full"})):
        gymnasium.register(
            id=f"stammtisch/Clever-{name}",
            entry_point="stammtisch.envs.clever:CleverEnv",
            vector_entry_point="stammtisch.envs.clever:CleverVectorEnv",
            kwargs=options,
        )
