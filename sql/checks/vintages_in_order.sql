-- Vintages that end before they begin, or that do not end when the next one begins.
select series_no, period_end, observed_at, known_to
from (
    select *, lead(observed_at) over (partition by series_no, period_end order by release_no) as next_observed_at
    from published.vintages
)
where known_to < observed_at or known_to is distinct from next_observed_at
