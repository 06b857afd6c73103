-- The new entries in quarantine. Grain: payload, rule, severity.
select payload_id, rule, severity, count(*) as findings
from staged.quarantined
group by all
order by all
