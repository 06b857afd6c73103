"""Refusals of the service with its messages. No message contains the key."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Type


class AsofError(Exception):
    """`code` is the service's (`bad_request`, …), or `cursor_expired`, `unreachable`, `unreadable`; `status` is 0 without an answer."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int,
        details: Optional[Mapping[str, Any]] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[int] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.details: Mapping[str, Any] = details or {}
        self.request_id = request_id
        #: Seconds to wait after a rate limit; None if the refusal names none.
        self.retry_after = retry_after

    @property
    def nearest(self) -> Optional[str]:
        """The nearest known name, if the request has an unknown one."""
        found = self.details.get("nearest")
        return None if found is None else str(found)


class BadRequest(AsofError):
    """An unknown parameter, or an invalid value."""


class CursorExpired(BadRequest):
    """The snapshot of the walk has been deleted: start the walk again."""


class Unauthorized(AsofError):
    """No key, or an unknown one."""


class Forbidden(AsofError):
    """A key without the scope of the route."""


class NotFound(AsofError):
    """An unknown name, with the `nearest` known one, if there is one; for frames also a series that you may not see."""


class RateLimited(AsofError):
    """A rate limit that lasts longer than `most_wait`."""


class InternalError(AsofError):
    """A fault of the service: report it with its `request_id`."""


class Unreachable(AsofError):
    """No answer, even after retries."""


class Unreadable(AsofError):
    """The answer is incomplete, or does not come from the service."""


class AsofWarning(UserWarning):
    """An answer with fewer rows than requested, with the reason."""


CLASSES: Dict[str, Type[AsofError]] = {
    "bad_request": BadRequest,
    "unauthorized": Unauthorized,
    "forbidden": Forbidden,
    "not_found": NotFound,
    "rate_limited": RateLimited,
    "internal_error": InternalError,
}
