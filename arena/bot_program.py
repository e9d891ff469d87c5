"""How a bot's program is started: in bubblewrap, or with the limits alone in a private folder.

Raises Starved when the bot is no longer what was found: then nobody is to blame, and nothing is played.
"""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Sequence

from arena import sandbox
from arena.bot import BotSpec
from arena.contents import has_caches
from arena.limits import Limits
from arena.player import Starved
from arena.process import Program


def program_of(spec: BotSpec, limits: Limits, *, sandboxed: bool, cpus: Sequence[int] | None) -> Program:
    """What the keeper is to start for this bot."""
    check_unchanged(spec)
    rlimits = sandbox.resource_limits(limits)
    linked = _files_of(spec)
    if sandboxed:
        env = _environment(spec, sandbox.INSIDE)
        visible = [*sandbox.programs_home(spec.argv[0]), *spec.visible]
        argv = [*sandbox.command(visible, env, linked), *spec.argv]
        return Program(argv, {}, "/", rlimits, isolate=True, cpus=cpus)
    # Its warden makes the folder and removes it: had we made it, it would stay behind if we were killed now.
    folder = os.path.join(tempfile.gettempdir(), f"arena-{secrets.token_hex(8)}")
    return Program(
        spec.argv,
        _environment(spec, folder),
        folder,
        rlimits,
        isolate=True,
        confine=True,
        cpus=cpus,
        scratch=folder,
        linked=linked,
    )


def _environment(spec: BotSpec, folder: str) -> dict[str, str]:
    """Its environment. Compiled modules beside its own are no part of its version: then Python looks elsewhere."""
    env = sandbox.environment(folder)
    if any(map(has_caches, spec.visible)):
        env["PYTHONPYCACHEPREFIX"] = f"{folder}/.pycache"
    return env


def check_unchanged(spec: BotSpec) -> None:
    """A record names the version that was found when the run began: nothing else may be played under it."""
    if spec.content is not None and (what := spec.content.change()) is not None:
        raise Starved(f"the files of {spec.name} {what} since it was found: {', '.join(spec.content.paths)}")


def _files_of(spec: BotSpec) -> list[str]:
    """What stands in the bot's folder, if it has one."""
    if spec.folder is None:
        return []
    return [os.path.join(spec.folder, entry) for entry in sorted(os.listdir(spec.folder))]
