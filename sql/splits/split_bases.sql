-- How many shares of a company's first known basis one share equals, from valid_from on. Grain: cik, valid_from; the
-- first row of a company has no start. To restate a number of shares from day a to day b, multiply by basis(b) /
-- basis(a); an amount per share, by the inverse.
select cik, date '0001-01-01' as valid_from, 1::double as basis
from reference.stock_splits
group by cik
union all
select cik, effective_date as valid_from, product(ratio) over (partition by cik order by effective_date) as basis
from reference.stock_splits
order by cik, valid_from
