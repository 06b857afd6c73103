-- Whether a company still is what it was, from the status of its filer: one that never had a ticker and of which nothing is said goes on.
create or replace macro entity_status(status, had_ticker) as
case
    when status is null or status = 'active' then 'active'
    when status = 'acquired' then 'merged'
    when status = 'delisted' or had_ticker then 'inactive'
    else 'active'
end
