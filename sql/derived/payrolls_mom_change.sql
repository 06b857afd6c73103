-- Nonfarm payrolls, change on the month before in thousands, within one vintage.
from level_changes('payrolls_mom_change', 'thousands', 'nonfarm_payrolls', 'monthly', 1)
