"""usage: call.py CALLS. Calls each route once with the client that openapi-python-client made, and holds what it read against what was sent."""

import datetime
import importlib
import inspect
import json
import os
import re
import sys

from asof_client import AuthenticatedClient


def plain(name):
    return name.replace("_", "").lower()


def argument(name, value, annotation):
    """A day as the type that the client takes."""
    return datetime.date.fromisoformat(value) if "datetime.date" in str(annotation) else value


def arguments(call, parameters):
    given = {}
    for place, values in (("path", call["path"]), ("query", call["query"])):
        for name, value in values.items():
            names = (plain(name), plain(name) + place)
            [own] = [one for one in parameters if plain(one) in names and (plain(one) != plain(name) or name + "_" + place not in parameters)][:1]
            given[own] = argument(name, value, parameters[own].annotation)
    return given


def unknown(read, at):
    """Where a model has members that its schema does not name."""
    if isinstance(read, list):
        return [one for index, row in enumerate(read) for one in unknown(row, f"{at}[{index}]")]
    members = getattr(read, "__attrs_attrs__", None)
    if members is None:
        return []
    named = [one.name for one in members if one.name != "additional_properties"]
    own = [f"{at}.{name}" for name in read.additional_properties] if named else []
    return own + [one for name in named for one in unknown(getattr(read, name), f"{at}.{name}")]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        calls = json.load(file)
    client = AuthenticatedClient(
        base_url=os.environ["ASOF_URL"], token=os.environ["ASOF_KEY"], prefix="", auth_header_name="x-api-key", timeout=600.0
    )
    for call in calls:
        module = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", call["name"]).lower()
        api = importlib.import_module(f"asof_client.api.{call['tag']}.{module}")
        answer = api.sync_detailed(client=client, **arguments(call, inspect.signature(api.sync_detailed).parameters))
        read = answer.parsed
        rows = getattr(read, "data", read)
        if answer.status_code != 200 or rows is None or rows == [] or rows == "":
            raise SystemExit(f"{call['name']} answered {answer.status_code} without rows")
        faults = unknown(read, call["name"])
        if faults:
            raise SystemExit(f"members that are not described: {faults[:5]}")
    print(f"openapi-python-client: {len(calls)} calls")


main()
