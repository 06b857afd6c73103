-- Market capitalisation over operating cash flow.
from multiples_of('price_to_operating_cash_flow')
