-- Core PCE inflation: the price index without food and energy on the same month a year ago, in percent, within one vintage.
from growth_rates('core_pce_inflation_yoy', 'core_pce_price_index', 'monthly', 12, 1)
