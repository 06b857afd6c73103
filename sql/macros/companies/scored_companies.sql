-- Companies known at the cutoff, with the newest name, tickers, description, state, class, inputs of scores, valuation,
-- report and share count of that time, and their scores.
-- `history_from` bounds the share counts, reports, prices and inputs of scores. `price_sources` are sources with
-- licensed prices that may still be redistributed.
-- Scores: each input becomes its midrank percentile among the companies of the sector if five of them have it, else
-- among all companies. A pillar is the mean of its inputs, and the composite the mean of its pillars; both are null
-- below half the inputs. Statements older than `budget_days` at `asked_at` are not scored.
-- Debt to EBITDA is not used for banks and insurers. Before their industry is known, their balance sheets identify
-- them.
-- score_as_of: knowledge time of the newest figure in any score. are_prices_shown: whether shown values may use a
-- price.
create or replace macro scored_companies(as_of, asked_at, history_from, price_sources, budget_days) as table
    with

    described as (
        select
            *,
            list_filter(names, lambda one: as_of is null or coalesce(one.known_from <= as_of, true))[-1] as newest_name,
            list_filter(descriptions, lambda one: as_of is null or one.known_from <= as_of)[-1] as description,
            list_filter(states, lambda one: as_of is null or one.known_from <= as_of)[-1] as state,
            list_filter(
                listings,
                lambda one: if(
                    as_of is null, one.known_to is null, one.known_from <= as_of and coalesce(one.known_to > as_of, true)
                )
            ) as held_listings,
            list_filter(classes, lambda class: as_of is null or class.known_from <= as_of)[-1] as class,
            list_filter(currencies, lambda one: as_of is null or one.known_from <= as_of)[-1] as newest_currency,
            list_filter(fiscal_year_ends, lambda one: as_of is null or one.known_from <= as_of)[-1] as newest_year_end,
            list_filter(
                score_inputs,
                lambda inputs: (as_of is null or inputs.known_at <= as_of)
                and (history_from is null or inputs.window_end >= history_from)
            )[-1] as inputs,
            list_filter(
                valuations,
                lambda one: (as_of is null or one.known_at <= as_of)
                and (history_from is null or one.price_as_of >= history_from)
                and (one.is_redistributable or list_contains(price_sources, one.price_source))
            )[-1] as valuation,
            list_sort(list_transform(
                list_filter(
                    reports,
                    lambda report: (as_of is null or report.observed_at <= as_of)
                    and (history_from is null or report.period_end >= history_from)
                ),
                lambda report: { period_end: report.period_end, filed_at: report.filed_at }
            ))[-1] as newest_report,
            list_filter(
                share_counts,
                lambda counted: (as_of is null or counted.observed_at <= as_of)
                and (history_from is null or counted.shares_as_of >= history_from)
            )[-1] as newest_count,
        from published.companies
        where
            as_of is null
            or if(
                history_from is null,
                known_from <= as_of,
                inputs is not null or valuation is not null or newest_report is not null or newest_count is not null
            )
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
        where inputs.window_end >= (asked_at at time zone 'UTC')::date - budget_days
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
        described.* exclude (newest_name, description, state, held_listings) replace (
            coalesce(newest_name.name, names[1].name, described.name) as name,
            if(as_of is null, described.country, description.country) as country,
            if(as_of is null, described.lei, description.lei) as lei,
            list_transform(held_listings, lambda one: one.ticker) as tickers,
            held_listings[1].ticker as ticker,
            if(len(held_listings) = 0, null, if(as_of is null, described.exchange, description.exchange)) as exchange,
            if(as_of is null, described.status, coalesce(state.status, 'unknown')) as status
        ),
        {
            composite: round(scored.composite, 2),
            value: round(scored.value, 2),
            quality: round(scored.quality, 2),
            growth: round(scored.growth, 2),
            financial_health: round(scored.financial_health, 2)
        } as scores,
        if(scored.coverage is null, null, (select max(known_at) from ranked)) as score_as_of,
        coalesce(round(scored.coverage, 4), 0) as score_coverage,
        scored.composite is not null as is_scored,
        are_prices_open or list_contains(price_sources, 'quotes') or valuation is not null as are_prices_shown,
    from described
    left join scored using (company_id)
