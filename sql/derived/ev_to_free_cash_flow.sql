-- Enterprise value over operating cash flow less capital expenditure.
from multiples_of('ev_to_free_cash_flow')
