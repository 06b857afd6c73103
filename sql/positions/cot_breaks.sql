-- Reports with which a contract's scale breaks (the consolidated S&P 500 and Nasdaq-100 went from large to E-mini contracts on 2023-05-02):
-- open interest at least three times all of the thirteen reports before, or at most a third. Thirteen reports span an expiry cycle, at whose
-- end open interest falls and recovers. Judged once, at known_from, when the first print appeared, on the first prints that had appeared by then: a
-- report that appears late changes no earlier verdict. Grain: contract_no, report_date.
with

open_interest as (
    select series.source_id, series.entity_id, vintages.period_end as report_date, vintages.value, vintages.observed_at
    from series.vintages
    inner join series.series using (series_no)
    where series.canonical_id in ('cot_open_interest', 'cot_tff_open_interest') and vintages.release_no = 1 and vintages.value > 0
),

compared as (
    select
        *,
        max(value) over earlier as highest_before,
        min(value) over earlier as lowest_before,
    from open_interest
    window earlier as (partition by source_id, entity_id order by observed_at, report_date rows between 13 preceding and 1 preceding)
)

select contracts.contract_no, compared.report_date, compared.observed_at as known_from
from compared
inner join (select distinct contract_no, source_id, entity_id from positions.cot_nets) as contracts using (source_id, entity_id)
where compared.highest_before >= 10000 and (compared.value >= 3 * compared.highest_before or compared.value <= compared.lowest_before / 3)
