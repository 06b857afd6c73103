-- Closing price over diluted earnings a share of the trailing twelve months. Without those, market capitalisation over earnings to common shareholders.
from multiples_of('price_to_earnings')
