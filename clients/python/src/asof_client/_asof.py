"""The client: its questions, and one record's chain."""

from __future__ import annotations

from typing import Optional

from ._client import Moment
from ._questions import Questions
from ._results import Item


class Asof(Questions):
    """
    `url` and `key` default to `ASOF_URL` and `ASOF_KEY` of the environment. After a rate limit the client waits as long as the service asks, up to
    `most_wait` seconds per request. Without an answer it retries a request `retries` times.
    """

    def provenance(self, observation_id: str, *, as_of: Optional[Moment] = None) -> Item:
        """The chain from the publisher's file to an observation."""
        return self.item("/provenance/observations/{observationId}", {"observationId": observation_id}, as_of=as_of)
