"""How a bot's program is started: in bubblewrap, or with the limits alone in a private folder. Raises nothing."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Sequence

from arena import sandbox
from arena.bot import BotSpec
from arena.limits import Limits
from arena.process import Program


def program_of(spec: BotSpec, limits: Limits, *, sandboxed: bool, cpus: Sequence[int] | None) -> Program:
    """What the keeper is to start for this bot."""
    rlimits = sandbox.resource_limits(limits)
    if sandboxed:
        env = sandbox.environment(sandbox.INSIDE)
        visible = [*sandbox.programs_home(spec.argv[0]), *spec.visible]
        argv = [*sandbox.command(visible, env, spec.folder), *spec.argv]
        return Program(argv, {}, "/", rlimits, isolate=True, cpus=cpus)
    # Its warden makes the folder and removes it: had we made it, it would stay behind if we were killed now.
    folder = os.path.join(tempfile.gettempdir(), f"arena-{secrets.token_hex(8)}")
    own = spec.folder
    linked = [] if own is None else [os.path.join(own, entry) for entry in os.listdir(own)]
    return Program(
        spec.argv,
        sandbox.environment(folder),
        folder,
        rlimits,
        isolate=True,
        confine=True,
        cpus=cpus,
        scratch=folder,
        linked=linked,
    )
