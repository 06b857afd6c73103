-- The closing price of a company and each figure of its filings, as known at a moment: one row per figure. A company is
-- named by its ticker of then. The price is null if none is known.
create or replace macro price_and_fundamentals(ticker, day) as table
    with

    asked as (
        select ticker_holder(ticker, moment_of(day)) as company_id
    ),

    closes as (
        select shown.entity_id, closes.period_end, closes.value, closes.observed_at
        from shown_series() as shown
        inner join asked on asked.company_id = shown.entity_id
        inner join asked_vintages(as_of := moment_of(day), chosen_vintage := 'latest', numeric_only := true) as closes using (series_no)
        where shown.canonical_id = 'price_close'
        qualify row_number() over (order by closes.period_end desc, shown.preference, closes.observed_at desc, shown.source_id) = 1
    ),

    figures as (
        select figures.*
        from published.company_figures as figures
        inner join asked on asked.company_id = figures.entity_id
        where is_in_force(figures.known_from, figures.known_to, moment_of(day))
    )

    select
        asked.company_id,
        closes.period_end as price_date,
        closes.value as price,
        figures.field,
        fields.label,
        fields.unit,
        figures.value,
        figures.period_end,
        figures.known_from,
    from asked
    left join closes on closes.entity_id = asked.company_id
    left join figures on figures.entity_id = asked.company_id
    left join published.company_figure_fields as fields using (field)
    where asked.company_id is not null
    order by figures.field
