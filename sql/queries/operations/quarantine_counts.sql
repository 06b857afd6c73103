-- Quarantined rows and payloads by rule, severity and status. Grain: rule, severity, status.
select rule, severity, status, count(*)::integer as findings,
from published.quarantine
group by all
order by rule, severity, status
