"""What the service refuses, in its own words. No message holds the key."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Type


class AsofError(Exception):
    """`code` is the service's (`bad_request`, …), or `cursor_expired`, `unreachable`, `unreadable`; `status` is 0 where nothing answered."""

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
        #: Seconds that a refusal for the rate limit asks to wait; None where it says none.
        self.retry_after = retry_after


class BadRequest(AsofError):
    """A parameter that the service does not know, or a value that it does not take."""


class CursorExpired(BadRequest):
    """The snapshot that a walk began with is kept no longer: the walk is to be begun again."""


class Unauthorized(AsofError):
    """No key, or one that is not known."""


class Forbidden(AsofError):
    """A key without the scope that the route wants."""


class NotFound(AsofError):
    """`details["nearest"]` names the nearest known thing, if there is one."""


class RateLimited(AsofError):
    """A limit that ends later than the client was told to wait."""


class InternalError(AsofError):
    """To be reported with its `request_id`."""


class Unreachable(AsofError):
    """Nothing answered, also not when asked again."""


class Unreadable(AsofError):
    """What answered is not the service, or is not whole."""


class AsofWarning(UserWarning):
    """An answer that holds less than was asked for, with the reason."""


CLASSES: Dict[str, Type[AsofError]] = {
    "bad_request": BadRequest,
    "unauthorized": Unauthorized,
    "forbidden": Forbidden,
    "not_found": NotFound,
    "rate_limited": RateLimited,
    "internal_error": InternalError,
}
