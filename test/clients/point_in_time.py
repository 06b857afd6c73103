"""Cells of an exported folder, read by the real package pyqlib, next to the answers of the service as of the same days.

Usage: point_in_time.py FOLDER, with the service at ASOF_URL (key ASOF_KEY) over the same snapshot. CELLS (default 1000) and SEED set the draw.
"""

import datetime
import json
import math
import os
import random
import sys
import urllib.parse
import urllib.request
import zoneinfo
from functools import cache

import numpy as np
import pandas as pd
import qlib
from qlib.data import D
from qlib.data.data import PITD

FOLDER = sys.argv[1]
CELLS = int(os.environ.get("CELLS", "1000"))
SEED = int(os.environ.get("SEED", "1"))
CELLS_A_DAY = 5
RECORD = np.dtype([("date", "<u4"), ("period", "<u4"), ("value", "<f8"), ("next", "<u4")])

with open(f"{FOLDER}/asof.json", encoding="utf-8") as about:
    ABOUT = json.load(about)
CUT, ZONE = ABOUT["cut"].split(" ")


def as_of(day: datetime.date) -> str:
    """The cut of a day, as the service takes it."""
    if ZONE == "UTC" and CUT == "23:59:59.999":
        return day.isoformat()
    local = datetime.datetime.combine(day, datetime.time.fromisoformat(CUT), zoneinfo.ZoneInfo(ZONE))
    return local.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


@cache
def statements(company: str, moment: str, length: str) -> list[dict]:
    rows: list[dict] = []
    cursor = None
    while True:
        query = {"as_of": moment, "period": length, "limit": 500} | ({"cursor": cursor} if cursor else {})
        address = f"{os.environ['ASOF_URL']}/companies/{company}/financials?{urllib.parse.urlencode(query)}"
        request = urllib.request.Request(address, headers={"x-api-key": os.environ["ASOF_KEY"]})
        with urllib.request.urlopen(request) as answer:
            page = json.load(answer)
        rows += page["data"]
        cursor = page["meta"]["pagination"]["next_cursor"]
        if cursor is None:
            return rows


def figures(company: str, moment: str, field: str) -> dict[int, float]:
    """The values of a field by period, as the service knew them."""
    name, kind = field.rsplit("_", 1)
    first, *rest = name.split("_")
    key = first + "".join(word.capitalize() for word in rest)
    found: dict[int, tuple[tuple, float]] = {}
    for row in statements(company, moment, "quarterly" if kind == "q" else "annual"):
        value = row["items"].get(key)
        if value is None:
            continue
        year, part = row["fiscalYear"], row["fiscalPeriod"]
        period = year if kind == "a" else year * 100 + (4 if part == "FY" else int(part[1]))
        order = (row["periodEnd"], row["periodStart"] or "", row["statementId"])
        if period not in found or found[period][0] < order:
            found[period] = (order, value)
    return {period: value for period, (_, value) in found.items()}


def draw(choice: random.Random) -> list[tuple[dict, datetime.date, list[tuple[str, int | None]]]]:
    """Companies with a day each and some cells of it: the newest period of a field (None), or a given one."""
    days = [datetime.date.fromisoformat(line.strip()) for line in open(f"{FOLDER}/calendars/day.txt", encoding="utf-8")]
    places = {day: place for place, day in enumerate(days)}
    drawn = []
    while CELLS_A_DAY * len(drawn) < CELLS:
        company = choice.choice(ABOUT["companies"])
        folder = f"{FOLDER}/financial/{company['symbol'].lower()}"
        fields = sorted(name.removesuffix(".data") for name in os.listdir(folder) if name.endswith(".data"))
        changes = np.fromfile(f"{folder}/{choice.choice(fields)}.data", dtype=RECORD)
        day = choice.choice(days)
        if choice.random() < 0.6:
            # At a change, or on the day before or after it: the cut itself.
            change = datetime.datetime.strptime(str(choice.choice(changes["date"])), "%Y%m%d").date()
            near = places.get(change + datetime.timedelta(days=choice.choice([-1, 0, 1])))
            if near is None:
                continue
            day = days[near]
        cells = []
        for field in choice.sample(fields, min(CELLS_A_DAY, len(fields))):
            periods = sorted(set(np.fromfile(f"{folder}/{field}.data", dtype=RECORD)["period"].tolist()))
            cells.append((field, None if choice.random() < 0.5 else int(choice.choice(periods))))
        drawn.append((company, day, cells))
    return drawn


def equal(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))


def main() -> None:
    qlib.init(provider_uri=FOLDER, region="us", kernels=1, logging_level=40)
    assert set(D.list_instruments(D.instruments("all"), as_list=True)) == {one["symbol"] for one in ABOUT["companies"]}
    compared, known, wrong = 0, 0, []
    for company, day, cells in draw(random.Random(SEED)):
        symbol, moment = company["symbol"], as_of(day)
        expressions = [f"P($${field})" if period is None else f"PRef($${field}, {period})" for field, period in cells]
        frame = D.features([symbol], expressions, day.isoformat(), day.isoformat())
        for (field, period), expression in zip(cells, expressions):
            answered = figures(company["companyId"], moment, field)
            expected = answered.get(period if period is not None else max(answered, default=0), math.nan)
            shown = float(frame[expression].iloc[0]) if len(frame) > 0 else math.nan
            stored = PITD.period_feature(symbol, f"$${field}", 0, 0, pd.Timestamp(day), period)
            exact = float(stored.iloc[-1]) if len(stored) > 0 else math.nan
            compared += 1
            known += not math.isnan(expected)
            # Qlib's operators return 32 bits, its store 64.
            if not (equal(shown, float(np.float32(expected))) and equal(exact, expected)):
                wrong.append(f"{symbol} {expression} at {moment}: Qlib {shown} ({exact}), the service {expected}")
    print(f"{compared} cells compared ({known} with a value) as of {CUT} {ZONE}, seed {SEED}: {len(wrong)} differ")
    print("\n".join(wrong[:20]))
    assert wrong == [] and known > compared / 4


if __name__ == "__main__":
    main()
