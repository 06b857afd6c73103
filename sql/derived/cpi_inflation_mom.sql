-- Consumer price inflation on the month before, in percent, within one vintage.
from growth_rates('cpi_inflation_mom', 'cpi', 'monthly', 1, 1)
