"""Runs every recipe in every reader and holds their answers against each other. Ends with 1 where two differ, or one has no row."""

import importlib
import math
import sys
import time
from datetime import date, datetime

RECIPES = ["as_of", "first_prints", "revision_triangle", "price_and_fundamentals", "cot_percentile", "panel", "backtest"]
READERS = ["duckdb", "pandas", "polars", "pyarrow", "chdb"]


def cell(value):
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, (date, datetime)):
        return value.isoformat()[:10]
    if isinstance(value, str):
        return value
    return float(f"{float(value):.10g}")


def main(asked):
    """@param asked: names of recipes, none for all; with --delta they read Delta tables"""
    if "--delta" in asked:
        sys.modules["lake"] = importlib.import_module("delta_tables")
    recipes = [name for name in asked if name != "--delta"] or RECIPES
    failed = 0
    for recipe in recipes:
        module = importlib.import_module(recipe)
        answers, times = {}, {}
        for reader in READERS:
            start = time.perf_counter()
            try:
                answers[reader] = [tuple(cell(value) for value in row) for row in getattr(module, f"with_{reader}")()]
            except Exception as error:
                answers[reader] = f"{type(error).__name__}: {error}"
            times[reader] = time.perf_counter() - start
        first = answers[READERS[0]]
        unequal = [reader for reader in READERS if answers[reader] != first or not first or isinstance(answers[reader], str)]
        failed += len(unequal)
        count = len(first) if isinstance(first, list) else 0
        print(f"{recipe}: {count} rows, " + ", ".join(f"{reader} {'UNEQUAL' if reader in unequal else 'ok'} {times[reader]:.1f} s" for reader in READERS))
        for reader in unequal:
            shown = answers[reader] if isinstance(answers[reader], str) else [row for row in answers[reader] if row not in first][:3]
            print(f"  {reader}: {shown}; {READERS[0]}: {first if isinstance(first, str) else first[:3]}")
    print(f"{len(recipes) * len(READERS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
