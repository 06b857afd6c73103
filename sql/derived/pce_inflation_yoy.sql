-- PCE inflation on the same month a year ago, in percent, within one vintage.
from growth_rates('pce_inflation_yoy', 'pce_price_index', 'monthly', 12, 1)
