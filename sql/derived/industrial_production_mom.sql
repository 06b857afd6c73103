-- Growth of industrial production on the month before, in percent, within one vintage.
from growth_rates('industrial_production_mom', 'industrial_production', 'monthly', 1, 1)
