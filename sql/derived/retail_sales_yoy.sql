-- Growth of retail and food services sales on the same month a year ago, in percent, within one vintage.
from growth_rates('retail_sales_yoy', 'retail_food_services_sales', 'monthly', 12, 1)
