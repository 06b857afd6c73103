-- Trailing twelve months of each flow and of diluted earnings per share, as known after each filing, with a check.
-- Grain: that of trailing_rolls. contradiction: the reason why the rolled sum is not a true twelve months.
-- scope_changed: comparatives recast part of its inputs. quarters_disagree: the four quarters, if all are known in the
-- scope of the year, sum to something else by more than 0.5 percent (not checked for amounts per share, which are
-- rounded). Otherwise null, also for a fiscal year as filed.
with

quartered as (
    select
        rolls.cik,
        rolls.known_at,
        rolls.metric,
        rolls.lag,
        if(
            count(*) = 4 and sum(quarters.period_end - quarters.period_start + 1) = max(window_end - window_start + 1),
            sum(quarters.value order by quarters.period_end),
            null
        ) as sum_of_quarters,
    from valuations.trailing_rolls as rolls
    inner join (select distinct metric, concept from valuations.multiple_concepts) as concepts using (metric)
    inner join filings.quarter_values as quarters
        on (quarters.cik, quarters.concept) = (rolls.cik, concepts.concept)
        and quarters.period_start >= rolls.window_start
        and quarters.period_end <= rolls.window_end
        and quarters.observed_at <= rolls.known_at
        and quarters.known_to > rolls.known_at
    where is_in_part(rolls.cik) and is_in_part(quarters.cik) and rolls.derivation = 'ttm_roll'
    group by all
),

scoped as (
    select
        rolls.*,
        sum_of_quarters,
        exists(
            from filings.recast_years
            where
                recast_years.cik = rolls.cik
                and recast_years.part_end + 1 = rolls.window_start
                and recast_years.observed_at <= rolls.known_at
                and recast_years.known_to > rolls.known_at
        ) as is_year_of_later_scope,
    from valuations.trailing_rolls as rolls
    left join quartered using (cik, known_at, metric, lag)
    where is_in_part(rolls.cik)
)

select
    * exclude (parts, is_year_of_later_scope),
    if(derivation = 'fiscal_year', null, { year: parts[2].recast_by, yearToDate: parts[1].recast_by, yearAgo: parts[3].recast_by }) as recasts,
    case
        when derivation = 'fiscal_year' then null
        -- The parts of a roll, in alphabetical order of name: to_date, year, year_ago.
        when not is_of_one_scope(parts[2], parts[1], parts[3], is_year_of_later_scope) then 'scope_changed'
        when not is_year_of_later_scope and abs(value - sum_of_quarters) > 0.005 * greatest(abs(value), abs(sum_of_quarters)) then 'quarters_disagree'
    end as contradiction,
from scoped
order by cik, known_at, metric, lag
