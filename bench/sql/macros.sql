-- When a vintage became known: the lag of its series after the end of the period, then a revision every 30 to 49 days.
create or replace macro generated_instant(period_end, series_no, luck, vintage_no) as
(period_end + (15 + series_no % 30 + vintage_no * 38 + (luck >> vintage_no) % 12)::integer)::timestamp at time zone 'UTC' + interval 750 minute;

-- A trend with noise, and what a later snapshot has on top; two vintages of a period always differ.
create or replace macro generated_value(base, period_no, luck, vintage_no) as
getvariable('lift') + round(base * (1 + period_no * 0.002) + (luck >> (vintage_no * 2)) % 1000 / 100.0 + vintage_no / 1000.0, 3);
