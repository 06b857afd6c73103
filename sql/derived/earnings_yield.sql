-- Diluted earnings a share over the closing price; may be negative.
from multiples_of('earnings_yield')
