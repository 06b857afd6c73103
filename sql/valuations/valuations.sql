-- A company at a price with the fundamentals of the moment. One row per closing price and filing in force while that
-- price was the newest: at the close, and again when a filing is accepted before the next close. known_at is the later
-- of both. close: the price of that day as traded, so that shares and earnings per share have the same basis. There is
-- no valuation before the first filing.
-- is_financial: by the industry known then, and before that by the balance sheet, because EDGAR's code is known only
-- from its retrieval. If uncertain, null does less harm than a number without meaning.
-- is_unit_unknown: the unit of the price is not known, and the market value is more than three times off from the
-- public float of the newest annual report or, without one, implausible by all statements. Statements in another
-- currency than the price are converted; exchange_rate is null if no rate is known.
with

first_closes as (
    select distinct on (cik, period_end) cik, period_end, value, day_basis, observed_at from valuations.closes as closes
    where is_in_part(cik)
    order by cik, period_end, observed_at
),

-- With the close of that day, or of up to ten days before.
priced_floats as (
    select
        floats.*,
        if(first_closes.period_end >= floats.float_date - 10, first_closes, null) as then_close,
    from valuations.public_floats as floats
    asof left join first_closes on first_closes.cik = floats.cik and first_closes.period_end <= floats.float_date
),

paired as (
    select
        closes.source_id,
        closes.entity_id,
        closes.period,
        closes.period_start,
        closes.period_end,
        closes.released_at,
        closes.value as close,
        closes.ticker,
        closes.shares_a_unit,
        closes.is_unit_stated,
        closes.day_basis,
        [{ series_no: closes.series_no, period: closes.period, vintage: closes.vintage, role: 'price' }] as inputs,
        closes.series_no as input_series_no,
        [closes.run_id] as input_run_ids,
        if(closes.observed_at >= fundamentals.known_at, closes.run_id, fundamentals.run_id) as source_run_id,
        closes.retrieved_at as price_retrieved_at,
        greatest(closes.observed_at, fundamentals.known_at) as observed_at,
        greatest(closes.retrieved_at, fundamentals.retrieved_at) as retrieved_at,
        greatest(closes.ingested_at, fundamentals.ingested_at) as ingested_at,
        greatest(closes.change_sequence, fundamentals.change_sequence) as change_sequence,
        closes.day_basis / coalesce(then_basis.basis, 1) as split_factor,
        fundamentals.* exclude (retrieved_at, ingested_at, change_sequence),
    from valuations.closes as closes
    inner join valuations.company_fundamentals as fundamentals
        on fundamentals.cik = closes.cik
        and fundamentals.known_at < closes.next_at
        and (fundamentals.known_to is null or fundamentals.known_to > closes.observed_at)
    asof left join
        splits.split_bases as then_basis
        on then_basis.cik = fundamentals.cik and then_basis.valid_from <= (fundamentals.known_at at time zone 'UTC')::date
    where closes.value > 0 and is_in_part(closes.cik) and is_in_part(fundamentals.cik)
),

-- The rate of the price's day as known then, or the newest of the four days before, because the ECB has its own
-- holidays.
fixed as (
    select
        paired.*,
        rates.period_end >= paired.period_end - 4 and rates.observed_at <= paired.observed_at as is_fixed,
        if(is_fixed, rates, null) as fixing,
        if(paired.currency = 'USD', 1, (fixing).rate) as exchange_rate,
    from paired
    asof left join valuations.exchange_rates as rates on rates.currency = paired.currency and rates.period_end <= paired.period_end
),

converted as (
    select
        fixed.* exclude (is_fixed, fixing) replace (
            list_concat(inputs, coalesce(fixing.inputs, [])) as inputs,
            greatest(retrieved_at, fixing.retrieved_at) as retrieved_at,
            greatest(ingested_at, fixing.ingested_at) as ingested_at,
            greatest(change_sequence, fixing.change_sequence) as change_sequence,
            eps * exchange_rate as eps,
            eps_year_ago * exchange_rate as eps_year_ago,
            revenue * exchange_rate as revenue,
            revenue_year_ago * exchange_rate as revenue_year_ago,
            gross_profit * exchange_rate as gross_profit,
            earnings * exchange_rate as earnings,
            net_income * exchange_rate as net_income,
            net_income_year_ago * exchange_rate as net_income_year_ago,
            operating_income * exchange_rate as operating_income,
            operating_income_year_ago * exchange_rate as operating_income_year_ago,
            interest_expense * exchange_rate as interest_expense,
            ebit * exchange_rate as ebit,
            depreciation_and_amortization * exchange_rate as depreciation_and_amortization,
            operating_cash_flow * exchange_rate as operating_cash_flow,
            free_cash_flow * exchange_rate as free_cash_flow,
            dividends * exchange_rate as dividends,
            common_equity * exchange_rate as common_equity,
            preferred * exchange_rate as preferred,
            noncontrolling * exchange_rate as noncontrolling,
            debt * exchange_rate as debt,
            cash * exchange_rate as cash,
            total_assets * exchange_rate as total_assets,
            current_assets * exchange_rate as current_assets,
            current_liabilities * exchange_rate as current_liabilities
        ),
        fixing.period_end as exchange_rate_date,
    from fixed
),

valued as (
    select
        converted.* exclude (shares, eps, eps_year_ago, split_factor),
        converted.shares * split_factor as shares,
        converted.eps / split_factor as eps,
        converted.eps_year_ago / split_factor as eps_year_ago,
        -- In cents: the product of two floats has noise after them.
        round(converted.close / converted.shares_a_unit * converted.shares * split_factor, 2) as market_cap,
        market_cap + debt + preferred + noncontrolling - cash as enterprise_value,
        converted.observed_at::date - window_end > 185 as is_stale,
        coalesce(classes.is_financial, is_undivided) as is_financial,
    from converted
    asof left join filings.company_classes as classes on classes.cik = converted.cik and classes.known_from <= converted.observed_at
),

-- After more than 640 days, another report should have followed, so the float does not count.
witnessed as (
    select
        valued.*,
        if(priced_floats.float_date >= valued.period_end - 640, priced_floats, null) as witness,
        coalesce(((witness).then_close).observed_at <= valued.observed_at, false) as is_priced_then,
        market_cap * if(is_priced_then, ((witness).then_close).value / close * ((witness).then_close).day_basis / day_basis, 1)
        / (witness).public_float
            as times_float,
    from valued
    asof left join priced_floats on priced_floats.cik = valued.cik and priced_floats.known_at <= valued.observed_at
)

select
    witnessed.* exclude (witness, is_priced_then, times_float, day_basis) replace (
        greatest(retrieved_at, witness.retrieved_at) as retrieved_at,
        greatest(ingested_at, witness.ingested_at) as ingested_at,
        greatest(change_sequence, witness.change_sequence) as change_sequence
    ),
    witness.public_float as public_float,
    witness.float_date as float_date,
    case
        when is_unit_stated then false
        when times_float is not null then times_float not between 1 / 3 and 3
        -- Without a float, by plausibility: earnings, sales and equity are all far off, in the same direction.
        else coalesce(
            earnings > 0 and revenue > 0 and common_equity > 0
            and (
                market_cap > greatest(100 * earnings, 20 * revenue, 20 * common_equity)
                or market_cap < least(earnings / 2, revenue / 20, common_equity / 20)
            ),
            false
        )
    end as is_unit_unknown,
from witnessed
