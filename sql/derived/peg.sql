-- Price to earnings over the growth of diluted earnings a share from the twelve months before, in percent.
from multiples_of('peg')
