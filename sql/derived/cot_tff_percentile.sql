-- Net leveraged-funds positions, report on Traders in Financial Futures, futures only.
from positioning_percentiles('cot_tff_percentile', 'tff')
