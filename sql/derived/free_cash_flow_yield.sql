-- Operating cash flow less capital expenditure over market capitalisation; may be negative.
from multiples_of('free_cash_flow_yield')
