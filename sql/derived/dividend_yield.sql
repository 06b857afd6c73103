-- Dividends paid to common shareholders over market capitalisation.
from multiples_of('dividend_yield')
