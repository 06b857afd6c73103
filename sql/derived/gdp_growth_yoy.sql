-- Real GDP growth on the same quarter a year ago, in percent, within one vintage.
from growth_rates('gdp_growth_yoy', 'gdp_real', 'quarterly', 12, 1)
