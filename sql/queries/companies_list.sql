-- Companies known at the cutoff, with the newest report and share count known then. `history_from` bounds the share counts shown.
with

classed as (
    select
        *,
        list_filter(classes, lambda class: $as_of::timestamptz is null or class.known_from <= $as_of::timestamptz)[-1] as class,
    from published.companies
),

known as (
    select
        *,
        list_sort(list_transform(
            list_filter(reports, lambda report: $as_of::timestamptz is null or report.observed_at <= $as_of::timestamptz),
            lambda report: {period_end: report.period_end, filed_at: report.filed_at}
        ))[-1] as newest_report,
        list_filter(
            share_counts,
            lambda counted: ($as_of::timestamptz is null or counted.observed_at <= $as_of::timestamptz)
                and ($history_from::date is null or counted.shares_as_of >= $history_from::date)
        )[-1] as newest_count,
    from classed
    where
        ($as_of::timestamptz is null or known_from <= $as_of::timestamptz)
        and ($sector::varchar is null or lower(class.sector) = lower($sector::varchar))
        and ($industry::varchar is null or lower(class.industry) = lower($industry::varchar))
        and ($country::varchar is null or country = $country::varchar)
        and ($ticker::varchar is null or list_contains(tickers, replace(upper($ticker::varchar), '.', '-')))
        and ($status::varchar is null or status = $status::varchar)
        and ($q::varchar is null or contains(lower(concat_ws(' ', name, cik, array_to_string(tickers, ' '))), lower($q::varchar)))
)

select
    company_id, entity_id, cik, lei, ticker, exchange, tickers, name, class.sector, class.industry, class.sic, classification_scheme, country, reporting_currency,
    fiscal_year_end, status, newest_count.shares as shares_outstanding, newest_count.shares_as_of, price, price_as_of, market_cap,
    newest_report.period_end as latest_period_end, newest_report.filed_at as latest_filed_at, multiples, scores, score_as_of, score_coverage,
    is_scoring_eligible, rights_note,
from known
