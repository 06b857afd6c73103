-- Core PCE inflation, without food and energy, on the month before, in percent, within one vintage.
from growth_rates('core_pce_inflation_mom', 'core_pce_price_index', 'monthly', 1, 1)
