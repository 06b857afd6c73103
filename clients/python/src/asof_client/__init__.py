"""A client of an asof service: macro and market data as it was known."""

from ._asof import Asof
from ._client import Bulk
from ._errors import (
    AsofError,
    AsofWarning,
    BadRequest,
    CursorExpired,
    Forbidden,
    InternalError,
    NotFound,
    RateLimited,
    Unauthorized,
    Unreachable,
    Unreadable,
)
from ._results import Hint, Item, Table

__all__ = [
    "Asof",
    "AsofError",
    "AsofWarning",
    "BadRequest",
    "Bulk",
    "CursorExpired",
    "Forbidden",
    "Hint",
    "InternalError",
    "Item",
    "NotFound",
    "RateLimited",
    "Table",
    "Unauthorized",
    "Unreachable",
    "Unreadable",
]
