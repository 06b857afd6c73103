"""Two checks of Schemathesis, as this interface means them: it knows no 405, and some rules between parameters that OpenAPI has no words for.
The forms of an answer beside JSON are checked too: the description has them apart."""

import schemathesis
from schemathesis.openapi.checks import RejectedPositiveData, UnsupportedMethodResponse
from schemathesis.specs.openapi.checks import positive_data_acceptance, unsupported_method


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """What `format` and Accept ask for is an answer like the JSON, whose media type alone typed clients are made for."""
    for path in raw_schema["paths"].values():
        answer = path["get"]["responses"]["200"]
        answer["content"] |= answer.pop("x-bulk", {})


@schemathesis.check
def valid_data_is_accepted(ctx, response, case):
    """Schema-valid data is accepted, unless the refusal names a cursor that was never given out, parameters that
    exclude each other, or a text that is not of the screener's own language."""
    try:
        return positive_data_acceptance(ctx, response, case)
    except RejectedPositiveData:
        details = response.json().get("error", {}).get("details", {})
        is_invented_cursor = details.get("parameter") == "cursor" and details.get("reason") in ("malformed", "tampered")
        is_contradiction = len(details.get("parameters", [])) > 1
        is_no_screen = case.path == "/public/screener" and details.get("parameter") in ("filter", "rank_by", "columns")
        # A panel of names that the service does not know is refused, and so is one of too many cells.
        is_unknown_panel = case.path.endswith("/panels")
        if response.status_code == 400 and (is_invented_cursor or is_contradiction or is_no_screen or is_unknown_panel):
            return None
        raise


@schemathesis.check
def other_methods_are_not_found(ctx, response, case):
    """A method other than GET and HEAD is a 404 that says so in Allow: the error table of the interface has no 405."""
    try:
        return unsupported_method(ctx, response, case)
    except UnsupportedMethodResponse:
        if response.status_code == 404 and response.headers.get("allow") == ["GET, HEAD"]:
            return None
        raise
