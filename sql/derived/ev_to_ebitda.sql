-- Enterprise value over operating income before depreciation and amortisation.
from multiples_of('ev_to_ebitda')
