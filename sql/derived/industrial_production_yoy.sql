-- Growth of industrial production on the same month a year ago, in percent, within one vintage.
from growth_rates('industrial_production_yoy', 'industrial_production', 'monthly', 12, 1)
