-- Market capitalisation over operating cash flow less capital expenditure.
from multiples_of('price_to_free_cash_flow')
