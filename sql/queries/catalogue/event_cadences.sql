-- The reach of each event series and its longest normal silence, as learned, oldest first. Grain: series_no.
select
    series_no,
    list(epoch_ms(known_from) order by known_from) as known_from,
    list(latest_period_end order by known_from) as ends,
    list(budget_days order by known_from) as days,
from published.event_cadences
group by series_no
