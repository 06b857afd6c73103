-- Companies known at the cutoff, with the newest report and share count known then. `history_from` bounds the share counts,
-- reports, prices and inputs of scores that are looked at, `price_sources` are those whose licensed prices may be passed on all the same. Scores:
-- each input as its midrank percentile among the companies of the sector, if five of them have it, else among all; a pillar is the mean of its
-- inputs, the composite the mean of its pillars, and null below half the inputs. Statements older at `at` than `budget_days` are not scored. Debt to
-- EBITDA says nothing of banks and insurers, which before their industry is known are told by their balance sheets.
with

described as (
    select
        *,
        list_filter(classes, lambda class: $as_of::timestamptz is null or class.known_from <= $as_of::timestamptz)[-1] as class,
        list_filter(currencies, lambda one: $as_of::timestamptz is null or one.known_from <= $as_of::timestamptz)[-1] as newest_currency,
        list_filter(
            score_inputs,
            lambda inputs: ($as_of::timestamptz is null or inputs.known_at <= $as_of::timestamptz)
            and ($history_from::date is null or inputs.window_end >= $history_from::date)
        )[-1] as inputs,
        list_filter(
            valuations,
            lambda one: ($as_of::timestamptz is null or one.known_at <= $as_of::timestamptz)
            and ($history_from::date is null or one.price_as_of >= $history_from::date)
            and (one.is_redistributable or list_contains($price_sources::varchar[], one.price_source))
        )[-1] as valuation,
        list_sort(list_transform(
            list_filter(
                reports,
                lambda report: ($as_of::timestamptz is null or report.observed_at <= $as_of::timestamptz)
                and ($history_from::date is null or report.period_end >= $history_from::date)
            ),
            lambda report: { period_end: report.period_end, filed_at: report.filed_at }
        ))[-1] as newest_report,
        list_filter(
            share_counts,
            lambda counted: ($as_of::timestamptz is null or counted.observed_at <= $as_of::timestamptz)
            and ($history_from::date is null or counted.shares_as_of >= $history_from::date)
        )[-1] as newest_count,
    from published.companies
    where $as_of::timestamptz is null or known_from <= $as_of::timestamptz
),

measured as (
    select
        company_id,
        class.sector as sector,
        greatest(inputs.known_at, valuation.known_at) as known_at,
        unnest([
            { pillar: 'value', input: 1, value: valuation.multiples.earnings_yield },
            { pillar: 'value', input: 2, value: valuation.multiples.free_cash_flow_yield },
            { pillar: 'value', input: 3, value: valuation.book_yield },
            { pillar: 'quality', input: 4, value: inputs.return_on_equity },
            { pillar: 'quality', input: 5, value: inputs.gross_profitability },
            { pillar: 'quality', input: 6, value: inputs.accruals_inverted },
            { pillar: 'growth', input: 7, value: inputs.revenue_growth },
            { pillar: 'growth', input: 8, value: inputs.eps_growth },
            {
                pillar: 'financial_health',
                input: 9,
                value: if(coalesce(class.is_financial, inputs.is_undivided), null, inputs.net_debt_to_ebitda_inverted)
            },
            { pillar: 'financial_health', input: 10, value: inputs.interest_cover },
            { pillar: 'financial_health', input: 11, value: inputs.current_ratio }
        ], recursive := true),
    from described
    where inputs.window_end >= ($at::timestamptz at time zone 'UTC')::date - $budget_days::integer
),

ranked as (
    select
        company_id,
        pillar,
        known_at,
        if(
            sector is not null and count(*) over peers >= 5,
            (rank() over (peers order by value) - 1 + 0.5 * count(*) over (partition by input, sector, value)) / count(*) over peers,
            (rank() over (everyone order by value) - 1 + 0.5 * count(*) over (partition by input, value)) / count(*) over everyone
        ) * 100 as percentile,
    from measured
    where value is not null
    window peers as (partition by input, sector), everyone as (partition by input)
),

scored as (
    select
        company_id,
        avg(percentile) filter (where pillar = 'value') as value,
        avg(percentile) filter (where pillar = 'quality') as quality,
        avg(percentile) filter (where pillar = 'growth') as growth,
        avg(percentile) filter (where pillar = 'financial_health') as financial_health,
        count(*) / 11 as coverage,
        if(coverage >= 0.5, list_avg([value, quality, growth, financial_health]), null) as composite,
    from ranked
    group by all
)

select
    company_id,
    entity_id,
    cik,
    lei,
    ticker,
    exchange,
    tickers,
    name,
    class.sector,
    class.industry,
    class.sic,
    classification_scheme,
    country,
    newest_currency.currency as reporting_currency,
    fiscal_year_end,
    status,
    newest_count.shares as shares_outstanding,
    newest_count.shares_as_of,
    valuation.price,
    valuation.price_as_of,
    valuation.market_cap,
    newest_report.period_end as latest_period_end,
    newest_report.filed_at as latest_filed_at,
    coalesce(valuation.multiples, no_multiples) as multiples,
    {
        composite: round(composite, 2),
        value: round(scored.value, 2),
        quality: round(quality, 2),
        growth: round(growth, 2),
        financial_health: round(financial_health, 2)
    } as scores,
    if(coverage is null, null, (select max(known_at) from ranked)) as score_as_of,
    coalesce(round(coverage, 4), 0) as score_coverage,
    composite is not null as is_scored,
    if(are_prices_open or list_contains($price_sources::varchar[], 'quotes') or valuation is not null, null, $rights_note::varchar) as rights_note,
from described
left join scored using (company_id)
where
    ($sector::varchar is null or lower(class.sector) = lower($sector::varchar))
    and ($industry::varchar is null or lower(class.industry) = lower($industry::varchar))
    and ($country::varchar is null or country = $country::varchar)
    and ($ticker::varchar is null or list_contains(tickers, replace(upper($ticker::varchar), '.', '-')))
    and ($status::varchar is null or status = $status::varchar)
    and ($q::varchar is null or contains(lower(concat_ws(' ', name, cik, array_to_string(tickers, ' '))), lower($q::varchar)))
