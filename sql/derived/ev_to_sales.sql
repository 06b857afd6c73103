-- Enterprise value over revenue.
from multiples_of('ev_to_sales')
