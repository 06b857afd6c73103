-- Companies known at the cutoff, with the newest report and share count of that time and their scores: see
-- scored_companies. With a text, those in found_ids or with the text in their names or codes.
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
    newest_year_end.fiscal_year_end as fiscal_year_end,
    status,
    newest_count.shares as shares_outstanding,
    newest_count.shares_as_of,
    valuation.price,
    valuation.price_as_of,
    valuation.market_cap,
    valuation.known_at as valued_at,
    newest_report.period_end as latest_period_end,
    newest_report.filed_at as latest_filed_at,
    coalesce(valuation.multiples, no_multiples) as multiples,
    scores,
    score_as_of,
    score_coverage,
    is_scored,
    if(are_prices_shown, null, $rights_note::varchar) as rights_note,
    found.place,
from
    scored_companies(
        as_of := $as_of::timestamptz,
        asked_at := $at::timestamptz,
        history_from := $history_from::date,
        price_sources := $price_sources::varchar[],
        budget_days := $budget_days::integer
    )
left join (
    select unnest($found_ids::varchar[]) as entity_id, unnest($found_places::integer[]) as place
) as found using (entity_id)
where
    ($sector::varchar is null or lower(class.sector) = lower($sector::varchar))
    and ($industry::varchar is null or lower(class.industry) = lower($industry::varchar))
    and ($country::varchar is null or country = $country::varchar)
    -- The holder of a ticker by today's knowledge: a look-up is no look-ahead.
    and ($ticker::varchar is null or company_id = ticker_holder($ticker::varchar, coalesce($as_of::timestamptz, 'infinity'::timestamptz)))
    and ($status::varchar is null or status = $status::varchar)
    and (
        $q::varchar is null
        or found.place is not null
        or contains(lower(concat_ws(' ', name, cik, array_to_string(tickers, ' '))), lower($q::varchar))
        or list_contains(tickers, $q_ticker::varchar)
    )
