"""How a campaign is kept: under which name, in sight or out of the way, or not any more."""

from __future__ import annotations

from typing import Any

from sureshot.campaign.view import View

__all__ = ["Kept"]


class Kept(View):
    """What a :class:`~sureshot.campaign.Campaign` can do about itself in its store; its events stay as they are."""

    @property
    def archived(self) -> bool:
        """Whether it was archived when it was opened, or since by :meth:`archive`."""
        return self._log.record.archived_at is not None

    def rename(self, name: str) -> None:
        """Give it another name. Its digests do not cover the name: its history stays proved, and others who hold it go
        on. A name that is taken is a :class:`~sureshot.errors.Conflict`.
        """
        self._log.writable()
        self._log.record = self.storage.rename_campaign(self._log.record.id, name)
        self._names.add(self.name)

    def archive(self, *, undo: bool = False) -> None:
        """Leave it out of lists, and of "the only campaign in the store", until this is undone. Named, it is opened,
        asked and told as ever.
        """
        self._log.writable()
        self._log.record = self.storage.archive_campaign(self._log.record.id, archived=not undo)

    def delete(self, *, expected_last: int | None = None) -> dict[str, Any]:
        """Remove it from its store for ever, and give back the last copy: what :meth:`export` gives.

        ``expected_last`` is the last event that you know; whatever was recorded since, also while this is done, is an
        :class:`~sureshot.errors.OutOfDate`, and nothing is deleted.

        >>> from sureshot import Campaign, Space
        >>> made = Campaign.create("tubes", Space.grid(power=[8, 10]), seed=1, storage=":memory:")
        >>> copy = made.delete()
        >>> Campaign.import_export(copy, storage=made.storage)
        Campaign('tubes', 2 alternatives, 0 trials)
        """
        self._log.writable()
        copy = self.export()
        last = len(copy["events"]) if expected_last is None else expected_last
        self.storage.delete_campaign(self._log.record.id, expected_last=last)
        return copy
