-- Splits that data/reference/stock_splits.csv does not explain, as findings in quarantine with a remedy. One row per
-- quarantine_id. Severity block while multiples are withheld because of it, warn once it is refuted.
with

described as (
    select
        splits.*,
        coalesce(filers.name || ' ', '') || '(CIK ' || splits.cik || ')' as company,
        printf('%g', share_ratio) as shares,
        'between ' || not_before || ' and ' || by_date as time_of_it,
        case kind
            when 'restatement' then 'Filing ' || evidence || ' restates share counts or earnings per share of earlier periods'
            when 'cover' then 'The share count on the cover of ' || evidence || ' stands to the one before'
            when 'price' then 'The closing price of ' || evidence || ' stands to the one before'
        end as sign,
    from splits.unlisted_splits as splits
    left join filings.filers using (cik)
)

select
    'qrn_'
    || left(
        sha256(concat_ws('|', 'split', cik, kind, evidence, epoch_us(known_at), share_ratio, not_before, by_date, epoch_us(refutation.known_at))), 26
    ) as quarantine_id,
    source_id,
    'scale_jump' as rule,
    '1' as rule_version,
    if(refutation is null, 'block', 'warn') as severity,
    sign || ' as if ' || company || ' had split its shares ' || shares || ' for 1 ' || time_of_it
    || if(
        is_listed,
        '. Multiples across that time are withheld as unlisted_split: the split is listed, and the closes before it are not adjusted for it. ',
        ', which stock_splits.csv does not list. '
    )
    || case
        when refutation is not null then 'Filing ' || refutation.evidence || ' repeats figures from before it unchanged: there was none.'
        when not is_listed
            then
                'Multiples across that time are withheld as unlisted_split. Add the line "'
                || cik
                || ',<first day of trading after the split>,'
                || shares
                || ',<note>". If the file has this split with another day or ratio, correct that line. '
                || 'A ratio of 1 on ' || by_date || ' says that there was none.'
        else ''
    end as reason,
    'company_' || cik as entity_id,
    null::varchar as series_code,
    strftime(by_date, '%Y-%m-%d') as period,
    kind as field_path,
    shares as observed_value,
    json_object('ratio', 1, 'after', not_before, 'by', by_date)::varchar as expected,
    payload_id,
    run_id,
    coalesce(refutation.ingested_at, ingested_at) as detected_at,
from described
