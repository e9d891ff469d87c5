"""Notes: what the user is told while a cluster plays, one line each. Raises nothing."""

from __future__ import annotations

from collections.abc import Callable


class Notes:
    """Tells each thing once."""

    def __init__(self, notify: Callable[[str], None]) -> None:
        self._notify = notify
        self._told: set[str] = set()

    def tell(self, text: str) -> None:
        """Tell the user, unless that has been told."""
        if text not in self._told:
            self._told.add(text)
            self._notify(text)

    def tell_again(self, text: str) -> None:
        """Tell the user what may happen more than once."""
        self._told.discard(text)
        self.tell(text)
