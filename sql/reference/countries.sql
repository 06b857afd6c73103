-- countries.csv of data/reference: one row per iso2.
select
    iso2,
    iso3,
    iso_numeric,
    name,
    official_name,
    slug,
    region,
    subregion,
    m49_region_code,
    m49_subregion_code,
    income_group,
    timezone,
    wb_code,
    valid_from::date as valid_from,
from
    read_csv(
        getvariable('reference_root') || '/countries.csv',
        all_varchar = true,
        header = true,
        delim = ',',
        quote = '"',
        escape = '"',
        nullstr = '',
        hive_partitioning = false
    )
