-- Consumer price inflation: the price index on the same month a year ago, in percent, within one vintage.
from growth_rates('cpi_inflation_yoy', 'cpi', 'monthly', 12, 1)
