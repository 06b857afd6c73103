-- Every vintage of the monthly, quarterly and annual macro series, period by period, in the order in which it became
-- known. period_no numbers months, quarters or years without gaps. is_level: a level or an index, not a rate, a balance
-- or a growth rate. Grain: series_no, period_no, release_no.
select
    vintages.series_no,
    series.frequency,
    series.comparison_basis = 'level' and series.unit not in ('percent', 'percentage_points', 'balance') as is_level,
    -- Rates, prices and exchange rates are marked as unadjusted only because they have no season.
    series.seasonal_adjustment = 'nsa' as is_unadjusted,
    case series.frequency
        when 'monthly' then 12 * year(vintages.period_end) + month(vintages.period_end) - 1
        when 'quarterly' then 4 * year(vintages.period_end) + quarter(vintages.period_end) - 1
        else year(vintages.period_end)
    end as period_no,
    vintages.observed_at,
    vintages.release_no,
    vintages.value,
from derived.all_vintages as vintages
inner join derived.all_series as series using (series_no)
where
    series.frequency in ('monthly', 'quarterly', 'annual')
    and not is_projection(series.canonical_id)
    and series.entity_type not in ('company', 'futures_contract')
order by vintages.series_no, vintages.observed_at, period_no, vintages.release_no
