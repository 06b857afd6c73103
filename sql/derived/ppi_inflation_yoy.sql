-- Producer price inflation of finished goods on the same month a year ago, in percent, within one vintage.
from growth_rates('ppi_inflation_yoy', 'ppi_finished_goods', 'monthly', 12, 1)
