-- The twin of sql/macros/asked_vintages.sql: the vintages of some series in a range that match the filters of an
-- observation read. It is put in front of the statements that name it.
select *
from {vintages:Identifier}
where
    series_no between {series_from:UInt32} and {series_to:UInt32}
    and ({no_series_nos:Bool} or series_no in (select arrayJoin({series_nos:Array(UInt32)})))
    and ({as_of:Nullable(Int64)} is null or observed_at <= {as_of:Nullable(Int64)})
    and ({observed_to:Nullable(Int64)} is null or observed_at <= {observed_to:Nullable(Int64)})
    and ({observed_from:Nullable(Int64)} is null or observed_at >= {observed_from:Nullable(Int64)})
    and ({period_from:Nullable(Int32)} is null or period_end >= {period_from:Nullable(Int32)})
    and ({period_to:Nullable(Int32)} is null or period_end <= {period_to:Nullable(Int32)})
    and ({release_number:Nullable(UInt32)} is null or release_no = {release_number:Nullable(UInt32)})
    and ({backfill:Nullable(Bool)} is null or is_backfill = {backfill:Nullable(Bool)})
    and case {chosen_vintage:String}
        -- In force: not replaced by the cutoffs. Each cutoff may be absent.
        when 'latest' then
            known_to is null
            or known_to > coalesce(
                least({as_of:Nullable(Int64)}, {observed_to:Nullable(Int64)}),
                {as_of:Nullable(Int64)},
                {observed_to:Nullable(Int64)}
            )
        when 'first' then prior_observed_at is null or prior_observed_at < {observed_from:Nullable(Int64)}
        else true
    end
