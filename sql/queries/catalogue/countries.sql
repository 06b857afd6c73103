-- By what names countries are asked for. Grain: iso2.
select iso2, iso3, slug, name
from published.countries
