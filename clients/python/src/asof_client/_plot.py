"""Drawings of vintages, with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from ._client import Client
from ._frames import Parameters, triangle_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_of(client: Client, parameters: Parameters, ax: "Optional[Axes]") -> "Axes":
    """A thin line for each earlier vintage, lighter the older it is, and a thick one for the newest."""
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("This needs matplotlib. Install the client with its extra: pip install './clients/python[plot]'.") from None
    triangle = triangle_of(client, parameters, by="date")
    axes = pyplot.subplots()[1] if ax is None else ax
    times = triangle.index.to_timestamp(how="end")
    *earlier, newest = triangle.columns
    for place, column in enumerate(earlier):
        axes.plot(times, triangle[column], color="tab:blue", linewidth=0.8, alpha=0.1 + 0.5 * place / len(earlier))
    axes.plot(times, triangle[newest], color="tab:blue", linewidth=2, label=f"known on {newest:%Y-%m-%d}")
    axes.set_title(triangle.attrs["indicator"])
    axes.set_ylabel(triangle.attrs["unit"])
    axes.legend()
    return axes
