"""Doors for other people's learners: importing this makes Gymnasium know ``stammtisch/Clever-v0`` and ``-v1``."""

import gymnasium

for _version, _options in (("v0", {"rules": "thesis"}), ("v1", {"rules": "official", "observation": "full"})):
    gymnasium.register(
        id=f"stammtisch/Clever-{_version}",
        entry_point="stammtisch.envs.clever:CleverEnv",
        vector_entry_point="stammtisch.envs.clever:CleverVectorEnv",
        kwargs=_options,
    )
