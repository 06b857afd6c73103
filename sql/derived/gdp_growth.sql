-- Real GDP growth on the quarter before, at an annual rate (to the fourth power), in percent, within one vintage.
from growth_rates('gdp_growth', 'gdp_real', 'quarterly', 3, 4)
