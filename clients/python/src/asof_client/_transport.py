"""Sends requests: the key only in a header, and again after the service's wait or without an answer."""

from __future__ import annotations

import json
import math
import os
import re
import time
from datetime import date, datetime, timezone
from datetime import time as time_of_day
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Union
from urllib.parse import quote

import httpx

from ._errors import CLASSES, AsofError, CursorExpired, Unreachable, Unreadable

#: None is not sent; a list, a set, an index or a column is sent as its members, separated by commas.
Parameter = Union[str, int, float, bool, date, datetime, Iterable[str], None]

_KEY = re.compile(r"[\x21-\x7e]+")
_ENDED = ("expired", "snapshot_gone")
#: Parameters that are days: a datetime at midnight without a zone is such a day, too.
_DAYS = ("from", "to", "start_date", "end_date")
_CUTOFFS = ("as_of", "asOf")
#: Parameters with one value.
_ONE = (*_DAYS, *_CUTOFFS, "at", "every", "group", "vintage", "source_id", "observed_from", "observed_to")


class Transport:
    def __init__(
        self,
        url: Optional[str],
        key: Optional[str],
        *,
        most_wait: float,
        retries: int,
        timeout: float,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url = _address(url or os.environ.get("ASOF_URL") or "")
        self._most_wait = most_wait
        self._retries = retries
        self._pause = pause
        self._http = httpx.Client(headers=_headers(key or os.environ.get("ASOF_KEY")), timeout=timeout, follow_redirects=False)

    def close(self) -> None:
        self._http.close()

    def get(self, path: str, parameters: Mapping[str, Parameter], *, places: Optional[Mapping[str, str]] = None) -> httpx.Response:
        """The answer with status 200; an AsofError for any other."""
        for name, value in (places or {}).items():
            path = path.replace("{" + name + "}", quote(value, safe=""))
        query = {name: sent(name, value) for name, value in parameters.items() if value is not None}
        waited = 0.0
        failed = 0
        while True:
            try:
                answer = self._http.get(self.url + path, params=query)
            except httpx.TransportError as error:
                if failed >= self._retries:
                    why = "did not answer in time" if isinstance(error, httpx.TimeoutException) else "does not answer"
                    raise Unreachable(f"The service at {self.url} {why}.", code="unreachable", status=0) from None
                self._pause(failed / 2)
                failed += 1
                continue
            if answer.status_code == 200:
                return answer
            refusal = refusal_of(answer)
            # A wait of zero would retry endlessly.
            wait = None if refusal.code != "rate_limited" or refusal.retry_after is None else max(refusal.retry_after, 1)
            if wait is None or waited + wait > self._most_wait:
                raise refusal
            self._pause(wait)
            waited += wait

    def json(self, path: str, parameters: Mapping[str, Parameter], *, places: Optional[Mapping[str, str]] = None) -> Dict[str, Any]:
        answer = self.get(path, parameters, places=places)
        body = _json(answer)
        if not isinstance(body, dict):
            raise Unreadable("The answer is not the JSON that the service sends.", code="unreadable", status=answer.status_code)
        return body


def refusal_of(answer: httpx.Response) -> AsofError:
    body = _json(answer)
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, dict) or "code" not in error or "message" not in error:
        return Unreadable(f"What answered with status {answer.status_code} is not the service.", code="unreadable", status=answer.status_code)
    details = error.get("details") or {}
    after = answer.headers.get("retry-after", "").strip()
    is_ended = details.get("parameter") == "cursor" and details.get("reason") in _ENDED
    kind = CursorExpired if is_ended else CLASSES.get(error["code"], AsofError)
    return kind(
        error["message"],
        code="cursor_expired" if is_ended else error["code"],
        status=answer.status_code,
        details=details,
        request_id=error.get("requestId") or answer.headers.get("x-request-id"),
        retry_after=int(after) if after.isdigit() else None,
    )


def sent(name: str, value: Parameter) -> str:
    """A parameter as text in a URL. An instant without an offset is a ValueError, because its meaning would depend on the place."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return _instant(name, value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (int, float)) and math.isfinite(value):
        return str(value)
    several = _texts(value)
    if several is not None and name in _ONE:
        raise TypeError(f"The parameter {name} takes one value.{' For many dates use panel().' if name in _CUTOFFS else ''}")
    if several:
        return ",".join(several)
    kind = f"{type(value).__module__}.{type(value).__qualname__}".replace("builtins.", "")
    remedy = "Send a text, a number, True or False, a datetime.date, a datetime.datetime with a zone, or a list of texts without commas."
    raise TypeError(f"The parameter {name} is {kind}: {value!r}. {remedy}")


def _instant(name: str, value: datetime) -> str:
    if value != value:  # NaT of pandas
        raise ValueError(f"The parameter {name} is NaT. Leave it out, or send a date.")
    if name in _DAYS:
        if value.time() != time_of_day():
            raise ValueError(f"The parameter {name} is a day, and {value} has a time of day. Send .date().")
        return value.date().isoformat()
    if value.tzinfo is None:
        raise ValueError(f"The parameter {name} has no time zone. For the whole day send .date(); for an instant add a zone, such as UTC.")
    return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


def _texts(value: Any) -> Optional[List[str]]:
    """The texts of a list, a set, an index, a column or an array. None for anything else."""
    if isinstance(value, (bytes, dict)) or not isinstance(value, Iterable):
        return None
    texts = sorted(value, key=str) if isinstance(value, (set, frozenset)) else list(value)
    return texts if all(isinstance(one, str) and "," not in one for one in texts) else None


def _address(url: str) -> str:
    if url == "":
        raise ValueError("The address of the service is missing. Pass url, or set ASOF_URL.")
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL:
        raise ValueError("The argument url is no address.") from None
    if parsed.scheme not in ("http", "https") or parsed.host == "" or parsed.userinfo or parsed.query or parsed.fragment:
        raise ValueError("The argument url is an address of http or https alone: the key is an argument of its own.")
    return url.rstrip("/")


def _headers(key: Optional[str]) -> Dict[str, str]:
    headers = {"accept": "application/json", "user-agent": "asof-client"}
    if not key:
        return headers
    if _KEY.fullmatch(key) is None:
        raise ValueError("The key has invalid characters, such as a blank or a line end. Copy it again.")
    return {**headers, "x-api-key": key}


def _json(answer: httpx.Response) -> Any:
    try:
        return json.loads(answer.content)
    except ValueError:
        return None
