-- Growth of durable goods orders on the month before, in percent, within one vintage.
from growth_rates('durable_goods_orders_mom', 'durable_goods_orders', 'monthly', 1, 1)
