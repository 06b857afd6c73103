-- Growth of M2 on the same month a year ago, in percent, within one vintage.
from growth_rates('m2_growth_yoy', 'money_supply_m2', 'monthly', 12, 1)
