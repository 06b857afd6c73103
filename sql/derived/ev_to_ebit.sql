-- Enterprise value over operating income.
from multiples_of('ev_to_ebit')
