-- PCE inflation on the month before, in percent, within one vintage.
from growth_rates('pce_inflation_mom', 'pce_price_index', 'monthly', 1, 1)
