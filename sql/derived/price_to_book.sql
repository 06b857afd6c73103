-- Market capitalisation over common equity.
from multiples_of('price_to_book')
