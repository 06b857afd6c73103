-- The last days of months from one day to another, both included. A month that ends later has none.
create or replace macro month_ends("from", "to") as table
    select day as date
    from panel_dates("from", "to", 'month_end')
