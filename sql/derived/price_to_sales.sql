-- Market capitalisation over revenue.
from multiples_of('price_to_sales')
