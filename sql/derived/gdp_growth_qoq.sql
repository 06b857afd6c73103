-- Real GDP growth on the quarter before, not annualised, in percent, within one vintage.
from growth_rates('gdp_growth_qoq', 'gdp_real', 'quarterly', 3, 1)
