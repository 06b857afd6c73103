-- Quarters computed from longer periods, with their inputs. Grain: that of statement_derivations and the scope of the
-- inputs.
-- fy_minus_9m: fourth quarter = year − nine months.
-- fy_minus_3q: fourth quarter = year − three consecutive quarters.
-- ytd_difference: second quarter = half − first quarter, third = nine months − half.
-- Inputs have one unit and one concept. A figure that comparatives recast is only subtracted from one that was recast
-- as late, because no quarter lies between two scopes, or from a year that had the new scope before (see recast_years).
-- A figure that was first known as a comparative is combined with one that equally late filings repeated.
with

wholes as (
    select * from filings.scoped_values
    where is_in_part(cik) and kind = 'money'
),

parts as (
    select * from wholes
    where not is_whole_only
),

pairs as (
    select
        whole.cik,
        whole.statement_type,
        whole.key,
        'quarterly' as period_type,
        part.period_end + 1 as period_start,
        whole.period_end,
        if(whole.span = 'year', 'fy_minus_9m', 'ytd_difference') as derivation,
        whole.value - part.value as value,
        [whole, part] as inputs,
    from wholes as whole
    inner join parts as part
        using (cik, statement_type, key, period_start, unit, family, scope)
    anti join filings.rescoping_filings
        on (rescoping_filings.cik, rescoping_filings.statement_type, rescoping_filings.key, rescoping_filings.accession_number)
        = (whole.cik, whole.statement_type, whole.key, whole.accession_number)
        and part.observed_at < whole.observed_at
    where
        (whole.span, part.span) in (('year', 'nine_months'), ('nine_months', 'half'), ('half', 'quarter'))
        and whole.period_end - part.period_end between 71 and 121
        and (whole.is_comparative_first or part.is_comparative_first or not (whole.is_repeat or part.is_repeat))
),

recast_pairs as (
    select
        whole.cik,
        whole.statement_type,
        whole.key,
        'quarterly' as period_type,
        part.period_end + 1 as period_start,
        whole.period_end,
        'fy_minus_9m' as derivation,
        whole.value - part.value as value,
        [whole, part] as inputs,
    from wholes as whole
    inner join parts as part
        using (cik, statement_type, key, period_start, unit, family)
    inner join filings.recast_years
        on (recast_years.cik, recast_years.part_end) = (part.cik, part.period_end)
        and recast_years.observed_at <= greatest(whole.observed_at, part.observed_at)
        and recast_years.known_to > greatest(whole.observed_at, part.observed_at)
    where
        (whole.span, part.span) = ('year', 'nine_months')
        and whole.scope = 0
        and part.scope > 0
        and not part.is_repeat
),

thirds as (
    select
        whole.cik,
        whole.statement_type,
        whole.key,
        'quarterly' as period_type,
        third.period_end + 1 as period_start,
        whole.period_end,
        'fy_minus_3q' as derivation,
        whole.value - first.value - second.value - third.value as value,
        [whole, first, second, third] as inputs,
    from wholes as whole
    inner join parts as first using (cik, statement_type, key, period_start, unit, family, scope)
    inner join parts as second
        on (second.cik, second.statement_type, second.key, second.unit, second.family, second.scope)
        = (whole.cik, whole.statement_type, whole.key, whole.unit, whole.family, whole.scope)
        and second.period_start = first.period_end + 1
    inner join parts as third
        on (third.cik, third.statement_type, third.key, third.unit, third.family, third.scope)
        = (whole.cik, whole.statement_type, whole.key, whole.unit, whole.family, whole.scope)
        and third.period_start = second.period_end + 1
    anti join filings.rescoping_filings
        on (rescoping_filings.cik, rescoping_filings.statement_type, rescoping_filings.key, rescoping_filings.accession_number)
        = (whole.cik, whole.statement_type, whole.key, whole.accession_number)
        and least(first.observed_at, second.observed_at, third.observed_at) < whole.observed_at
    where
        whole.span = 'year'
        and first.span = 'quarter'
        and second.span = 'quarter'
        and third.span = 'quarter'
        and whole.period_end - third.period_end between 71 and 121
        and (
            whole.is_comparative_first or first.is_comparative_first or second.is_comparative_first or third.is_comparative_first
            or not (whole.is_repeat or first.is_repeat or second.is_repeat or third.is_repeat)
        )
)

from pairs
union all
from recast_pairs
union all
from thirds
