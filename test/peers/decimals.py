"""Rounding as SQL rounds: half away from zero. Python's round() goes to even."""
import decimal


def to_places(value, places):
    return float(decimal.Decimal(float(value)).quantize(decimal.Decimal(1).scaleb(-places), decimal.ROUND_HALF_UP))
