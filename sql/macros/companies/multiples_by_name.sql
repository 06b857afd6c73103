-- The multiples of one valuation as columns, from grouped rows. Without rows, each is null.
create or replace macro multiples_by_name(slug, value) as
{
    price_to_earnings: max(value) filter (where slug = 'price_to_earnings'),
    price_to_book: max(value) filter (where slug = 'price_to_book'),
    price_to_sales: max(value) filter (where slug = 'price_to_sales'),
    price_to_free_cash_flow: max(value) filter (where slug = 'price_to_free_cash_flow'),
    price_to_operating_cash_flow: max(value) filter (where slug = 'price_to_operating_cash_flow'),
    ev_to_ebitda: max(value) filter (where slug = 'ev_to_ebitda'),
    ev_to_ebit: max(value) filter (where slug = 'ev_to_ebit'),
    ev_to_sales: max(value) filter (where slug = 'ev_to_sales'),
    ev_to_free_cash_flow: max(value) filter (where slug = 'ev_to_free_cash_flow'),
    earnings_yield: max(value) filter (where slug = 'earnings_yield'),
    free_cash_flow_yield: max(value) filter (where slug = 'free_cash_flow_yield'),
    dividend_yield: max(value) filter (where slug = 'dividend_yield'),
    peg: max(value) filter (where slug = 'peg')
}
