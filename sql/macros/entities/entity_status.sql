-- The status of a company, from the status of its filer. A filer without a status that never had a ticker is active.
create or replace macro entity_status(status, had_ticker) as
case
    when status is null or status = 'active' then 'active'
    when status = 'acquired' then 'merged'
    when status = 'delisted' or had_ticker then 'inactive'
    else 'active'
end
