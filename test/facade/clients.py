# Clients of FRED as they are installed from their registry, with nothing changed but the address, beside the service itself. Arguments: service, facade, key (32 letters and digits).
import json
import os
import sys
import urllib.request

import pandas as pd

service, facade, key = sys.argv[1:4]
os.environ["FRED_API_KEY"] = key
SERIES, STORED, DAILY = "PAYEMS", "us_nonfarm_payrolls", "us_treasury_yield_10y@fred"


def observations(**query):
    query = {"indicator_id": STORED, "source_id": "fred_md", "limit": 500, **query}
    address = f"{service}/observations?" + "&".join(f"{name}={value}" for name, value in query.items())
    rows = []
    cursor = ""
    while True:
        request = urllib.request.Request(address + cursor, headers={"x-api-key": key})
        answer = json.load(urllib.request.urlopen(request))
        rows += answer["data"]
        following = answer["meta"]["pagination"]["next_cursor"]
        if following is None:
            return rows
        cursor = f"&cursor={following}"


def level(rows):
    values = {pd.Timestamp(row["periodEnd"]).replace(day=1): row["actual"] for row in rows}
    return pd.Series(values).sort_index().astype(float)


def same(what, seen, expected):
    seen = pd.Series(seen).sort_index().astype(float)
    assert len(seen) > 5, what
    assert list(seen.index) == list(expected.index) and list(seen.values) == list(expected.values), (what, seen.compare(expected))
    print(f"ok {what}: {len(seen)} values")


now, then = level(observations()), level(observations(as_of="2020-06-15"))
every = observations(vintage="all")
# FRED has a first release of every period, those that its archive got years later among them.
first = level(observations(vintage="first", include_backfill="true"))
days = sorted({row["observedAt"][:10] for row in every})

from fredapi import Fred  # noqa: E402

fred = Fred(api_key=key)
fred.root_url = f"{facade}/fred"
same("fredapi get_series", fred.get_series(SERIES), now)
releases = fred.get_series_all_releases(SERIES)
assert len(releases) == len(every), (len(releases), len(every))
print(f"ok fredapi get_series_all_releases: {len(releases)} prints")
as_of = fred.get_series_as_of_date(SERIES, "2020-06-15").groupby("date")["value"].last()
same("fredapi get_series_as_of_date", as_of, then)
same("fredapi get_series_first_release", fred.get_series_first_release(SERIES), first)
assert [day.strftime("%Y-%m-%d") for day in fred.get_series_vintage_dates(SERIES)] == days
print(f"ok fredapi get_series_vintage_dates: {len(days)} days")
assert SERIES in fred.search("nonfarm").index
assert SERIES in fred.search("nonfarm", order_by="series_id", sort_order="desc", filter=("frequency", "Monthly")).index
assert SERIES in fred.search_by_release(50)["id"].values
assert fred.get_series_info(SERIES)["title"] == "All Employees, Total Nonfarm"
print("ok fredapi search, get_series_info")
with urllib.request.urlopen(f"{facade}/fred/series/categories?series_id={SERIES}&file_type=json&api_key={key}") as found:
    category = json.load(found)["categories"][0]
assert SERIES in fred.search_by_category(category["id"], order_by="title", filter=("frequency", "Monthly")).index
print("ok fredapi search_by_category")
weekly = fred.get_series(DAILY, frequency="wef", aggregation_method="eop").dropna()
assert len(weekly) > 50 and set(weekly.index.dayofweek) == {4}
days_of = fred.get_series(DAILY)
compared = fred.get_series(DAILY, units="pc1").dropna()
before = days_of.reindex(compared.index - pd.Timedelta(days=364)).values
assert len(compared) > 50 and ((days_of[compared.index] / before - 1) * 100 - compared).abs().max() < 1e-9
print(f"ok fredapi frequency=wef, units=pc1 of a daily series: {len(weekly)} weeks, {len(compared)} days")
fred.root_url = f"{facade}/at/2020-06-15/fred"
same("fredapi under a clock of 15 June 2020", fred.get_series(SERIES), then)
try:
    fred.get_series("NOPE")
    raise SystemExit("fredapi was given a series that does not exist")
except ValueError as error:
    assert "The series NOPE does not exist" in str(error), error

import pyfredapi  # noqa: E402
import pyfredapi._base as base  # noqa: E402

# The address is the default of the last argument of the function that sends requests.
sends = base._get_request.__wrapped__
sends.__defaults__ = (*sends.__defaults__[:-1], f"{facade}/fred")


def valued(frame):
    return frame.assign(date=pd.to_datetime(frame["date"]), value=pd.to_numeric(frame["value"])).groupby("date")["value"].last()


same("pyfredapi get_series", valued(pyfredapi.get_series(SERIES)), now)
assert len(pyfredapi.get_series_all_releases(SERIES)) == len(every)
same("pyfredapi get_series_initial_release", valued(pyfredapi.get_series_initial_release(SERIES)), first)
assert pyfredapi.get_series_vintagedates(SERIES) == days
assert SERIES in pyfredapi.search_series("nonfarm", return_format="pandas")["id"].values
assert 50 in [one["id"] for one in pyfredapi.get_releases()["releases"]]
assert SERIES in [one["id"] for one in pyfredapi.get_release_series(50)["seriess"]]
dates = [one["date"] for one in pyfredapi.get_release_dates(50)["release_dates"]]
assert dates == sorted(dates) and len(dates) > 1
print(f"ok pyfredapi get_series_vintagedates, search_series, get_releases, get_release_series, get_release_dates: {len(dates)} dates")
assert pyfredapi.get_series_categories(SERIES) == {"categories": [category]}
assert pyfredapi.get_category(category["id"])["categories"] == [category]
top = pyfredapi.get_category_children(0)["categories"]
assert category["parent_id"] in [one["id"] for one in top]
assert category in pyfredapi.get_category_children(category["parent_id"])["categories"]
assert pyfredapi.get_category_related(category["id"])["categories"] == []
own = {tag["name"]: tag["series_count"] for tag in pyfredapi.get_series_tags(SERIES)["tags"]}
assert {"monthly", "usa", "sa"} <= set(own), own
assert own.items() <= {tag["name"]: tag["series_count"] for tag in pyfredapi.get_tags()["tags"]}.items()
assert {"monthly"} <= {tag["name"] for tag in pyfredapi.get_category_tags(category["id"])["tags"]}
assert {"monthly"} <= {tag["name"] for tag in pyfredapi.get_category_related_tags(category["id"], tag_names="usa")["tags"]}
assert {"monthly"} <= {tag["name"] for tag in pyfredapi.get_related_tags(tag_names="usa;sa")["tags"]}
assert SERIES in [one["id"] for one in pyfredapi.get_series_matching_tags("usa;sa")["seriess"]]
assert "usa" in set(pyfredapi.search_series_tags("nonfarm")["name"])
assert "usa" in set(pyfredapi.search_series_related_tags("nonfarm", tag_names="monthly")["name"])
print(f"ok pyfredapi categories and tags: {len(top)} categories, {len(own)} tags of {SERIES}")
same("pyfredapi get_series_asof_date", valued(pyfredapi.get_series_asof_date(SERIES, date="2020-06-15")), then)

from pandas_datareader.fred import FredReader  # noqa: E402


class Here(FredReader):
    url = f"{facade}/graph/fredgraph.csv"


same("pandas-datareader", Here(SERIES, start="1990-01-01", end="2100-01-01").read()[SERIES], now)

from full_fred.fred import Fred as FullFred  # noqa: E402

full = FullFred()
for kind in type(full).__mro__:
    name = f"_{kind.__name__}__url_base"
    if hasattr(full, name):
        setattr(full, name, f"{facade}/fred/")
same("full_fred get_series_df", valued(full.get_series_df(SERIES)), now)
vintages = full.get_series_vintagedates(SERIES)["vintage_dates"]
assert vintages == days, (vintages[:3], days[:3])
print(f"ok full_fred get_series_vintagedates: {len(vintages)} days")
assert full.get_categories_of_series(SERIES)["categories"] == [category]
assert full.get_a_category(category["id"])["categories"] == [category]
assert full.get_child_categories(0)["categories"] == top
assert SERIES in [one["id"] for one in full.get_series_in_a_category(category["id"])["seriess"]]
assert {tag["name"] for tag in full.get_tags_for_a_series(SERIES)["tags"]} == set(own)
assert {"monthly"} <= {tag["name"] for tag in full.get_tags_for_a_category(category["id"])["tags"]}
assert {"monthly"} <= {tag["name"] for tag in full.get_related_tags_for_a_tag(["usa", "sa"])["tags"]}
assert SERIES in [one["id"] for one in full.get_series_matching_tags(["usa", "sa"])["seriess"]]
print("ok full_fred categories and tags")

import sdmx  # noqa: E402
from sdmx.source import add_source  # noqa: E402

ROWS = f"{service}/observations?indicator_id=us_nonfarm_payrolls&source_id=fred_md&sort=period_end&limit=500"


def rows(more=""):
    request = urllib.request.Request(ROWS + more, headers={"x-api-key": key})
    with urllib.request.urlopen(request) as answer:
        data = json.load(answer)["data"]
    return {row["period"]: row["actual"] for row in data}


flow = "M.us.nonfarm_payrolls.fred_md"


def available(message):
    constraint = message.constraint["CR_SERIES"]
    codes, span = {}, None
    for dimension, selection in constraint.data_content_region[0].member.items():
        if dimension.id == "TIME_PERIOD":
            span = [selection.values[0].start.period, selection.values[0].end.period]
        else:
            codes[dimension.id] = {one.value for one in selection.values}
    return codes, span, {one.id: int(str(one.title)) for one in constraint.annotations}


for at, more in [("", ""), ("/at/2020-06-15", "&as_of=2020-06-15")]:
    url = f"{facade}{at}/sdmx/2.1"
    add_source({"id": "ASOF", "name": "asof", "url": url, "supports": {"availableconstraint": True}}, override=True)
    client = sdmx.Client("ASOF")
    assert list(client.dataflow().dataflow) == ["SERIES"]
    for accept in ["application/xml", "application/vnd.sdmx.data+json;version=1.0.0"]:
        message = client.data("SERIES", key="M.us.nonfarm_payrolls.fred_md", headers={"Accept": accept})
        frame = sdmx.to_pandas(message).reset_index().set_index("TIME_PERIOD")["value"]
        assert frame.to_dict() == rows(more), (at, accept)
        print(f"ok sdmx1 data{at} as {accept}: {len(frame)} values")
    # Named by its dimensions, the key is held against the structure first.
    named = {"FREQ": "M", "ENTITY": "us", "INDICATOR": "nonfarm_payrolls", "SOURCE": "fred_md"}
    assert len(sdmx.to_pandas(client.data("SERIES", key=named))) == len(rows(more))
    keys = client.series_keys("SERIES")
    held = {id: {key[id].value for key in keys} for id in named}
    assert available(client.availableconstraint("SERIES"))[0] == held
    codes, span, counts = available(client.availableconstraint("SERIES", key=named))
    assert codes == {id: {code} for id, code in named.items()}, codes
    assert counts == {"series_count": 1, "obs_count": len(rows(more))}, counts
    periods = sorted(rows(more))
    assert [f"{day:%Y-%m}" for day in span] == [periods[0], periods[-1]] and (span[0].day, span[1].day) > (1, 27), span
    # What the entity can be, if the other places stay: every entity of a series that is as the key otherwise.
    params = {"mode": "available", "component_id": "ENTITY", "references": "codelist"}
    message = client.availableconstraint("SERIES", key=flow, params=params)
    others = {key["ENTITY"].value for key in keys if all(key[id].value == code for id, code in named.items() if id != "ENTITY")}
    assert available(message)[0] == {"ENTITY": others} and set(message.codelist["CL_ENTITY"].items) == others
    print(f"ok sdmx1 series_keys, availableconstraint{at}: {len(keys)} series, {len(held['INDICATOR'])} indicators")

# A key in a header, as sdmx1 sends no parameter that it does not know.
add_source({"id": "ASOF", "name": "asof", "url": f"{facade}/sdmx/2.1"}, override=True)
client = sdmx.Client("ASOF")
client.session.headers["x-api-key"] = key
entries = client.series_keys("SERIES")
assert len(entries) > 500
assert len(client.preview_data("SERIES")) == len(entries)
print(f"ok sdmx1 series_keys, preview_data: {len(entries)} series")
generic = sdmx.to_pandas(client.data("SERIES", key=flow)).sort_index()
structure = client.datastructure("SERIES").structure["SERIES"]
specific = client.data("SERIES", key=named, dsd=structure)
assert "structurespecificdata" in specific.response.headers["content-type"]
assert sdmx.to_pandas(specific).reorder_levels(generic.index.names).sort_index().to_dict() == generic.to_dict()
assert len(client.data("SERIES", key=flow, params={"includeHistory": True}).data) > 1
print(f"ok sdmx1 data by dsd, includeHistory=True: {len(generic)} values")

from pysdmx.io import read_sdmx  # noqa: E402


def sent(path):
    request = urllib.request.Request(f"{facade}/sdmx/{path}", headers={"Authorization": f"Bearer {key}"})
    with urllib.request.urlopen(request) as answer:
        return answer.read().decode()


kinds = {type(one).__name__ for one in read_sdmx(sent("3.0/structure/dataflow/ASOF/SERIES?references=all")).structures}
assert kinds >= {"Dataflow", "DataStructureDefinition", "Codelist", "ConceptScheme"}, kinds
for path in [f"3.0/data/dataflow/ASOF/SERIES/1.0.0/{flow}?format=csv", f"2.1/data/SERIES/{flow}", f"2.1/data/SERIES/{flow}?format=csv"]:
    found = read_sdmx(sent(path)).data[0].data
    assert {row.TIME_PERIOD: float(row.OBS_VALUE) for row in found.itertuples()} == rows(), path
print(f"ok pysdmx structures of SDMX-JSON 2.0, data of SDMX-CSV and SDMX-ML: {len(found)} values")

from pysdmx.api.dc.rest import SdmxConnector  # noqa: E402
from pysdmx.api.qb import ApiVersion, AvailabilityFormat, AvailabilityMode, AvailabilityQuery, DataContext, RestService  # noqa: E402

# The connector lists dataflows as stubs, then asks for the availability with every reference, then for the data.
connector = SdmxConnector(f"{facade}/sdmx/3.0", timeout=60)
(listed,) = connector.dataflows()
assert (str(listed.agency), listed.id, listed.version) == ("ASOF", "SERIES", "1.0.0"), listed
whole = connector.dataflow(listed)
assert (whole.series_count, {one.id for one in whole.structure.components.dimensions}) == (len(entries), {*named, "TIME_PERIOD"})
wanted = " AND ".join(f"{id} = '{code}'" for id, code in named.items())
one = connector.dataflow(listed, wanted)
assert (one.series_count, one.obs_count) == (1, len(rows())), one
assert [code.id for code in one.structure.components["ENTITY"].enumeration] == ["us"]
assert {row["TIME_PERIOD"]: float(row["OBS_VALUE"]) for row in connector.data(listed, wanted)} == rows()
some = list(connector.data(listed, f"{wanted} AND TIME_PERIOD BETWEEN '2020-02' AND '2020-04'"))
assert [row["TIME_PERIOD"] for row in some] == ["2020-02", "2020-03", "2020-04"], some
print(f"ok pysdmx SdmxConnector dataflows, dataflow, data: {whole.series_count} series, {whole.obs_count} values")
for form, version, own in [
    (AvailabilityFormat.SDMX_ML_2_1, ApiVersion.V1_5_0, "2.1"),
    (AvailabilityFormat.SDMX_JSON_2_0_0, ApiVersion.V2_0_0, "3.0"),
]:
    rest = RestService(f"{facade}/sdmx/{own}", version, avail_format=form, timeout=60)
    asked = AvailabilityQuery(DataContext.DATAFLOW, "ASOF", "SERIES", listed.version, key=flow, mode=AvailabilityMode.AVAILABLE)
    (found,) = read_sdmx(rest.availability(asked).decode()).structures
    region = {one.id: {value.value for value in one.values} for one in found.cube_region.key_values}
    span = next(one.time_range for one in found.cube_region.key_values if one.id == "TIME_PERIOD")
    assert "us" in region["ENTITY"] and (found.series_count, found.obs_count) == (1, len(rows())), found
    assert [span.start_period.period[:7], span.end_period.period[:7]] == [min(rows()), max(rows())], span
    print(f"ok pysdmx availability of SDMX {own}: {len(region['INDICATOR'])} indicators")
