-- Net non-commercial positions, legacy report, futures only.
from positioning_percentiles('cot_positioning_percentile', 'legacy')
