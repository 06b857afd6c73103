-- Growth of retail and food services sales on the month before, in percent, within one vintage.
from growth_rates('retail_sales_mom', 'retail_food_services_sales', 'monthly', 1, 1)
