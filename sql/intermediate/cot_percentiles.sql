-- Positioning statistics per report and moment of knowledge (methods.md, section 1): of the net position among the reports of the trailing 52
-- and 156 weeks that were known at that moment, the current one included. Reports before a break of scale do not count.
-- Grain: contract_no, report_no, known_at.
with

first_known as (
    select contract_no, report_no, any_value(report_date) as report_date, min(observed_at) as first_observed_at
    from intermediate.cot_nets
    group by all
),

-- A window begins 1,088 days back: 155 weeks and three days, so that a report of Monday instead of Tuesday neither joins nor leaves it.
-- A break of scale within it begins it anew.
broken as (
    select first_known.contract_no, first_known.report_no, max(breaks.report_date) as break_date
    from first_known
    inner join intermediate.cot_breaks as breaks
        on breaks.contract_no = first_known.contract_no
        and breaks.report_date between first_known.report_date - 1088 and first_known.report_date
    group by all
),

windows as (
    select
        first_known.*,
        greatest(first_known.report_date - 1088, coalesce(broken.break_date, date '0001-01-01')) as window_start,
    from first_known
    left join broken using (contract_no, report_no)
),

-- Which reports stand in which window: at most 156 weekly ones, with some to spare for weeks with two.
members as (
    select windows.contract_no, windows.report_no, windows.report_date, windows.first_observed_at, windows.window_start, windows.report_no - steps.step as member_no
    from windows
    cross join (select unnest(range(0, 170))::integer as step) as steps
    where windows.report_no > steps.step
),

paired as (
    select
        members.contract_no,
        members.report_no,
        members.report_date,
        members.first_observed_at,
        nets.report_no = members.report_no as is_current,
        nets.report_date as member_date,
        nets.net,
        nets.observed_at,
        nets.known_to,
        nets.retrieved_at,
        nets.ingested_at,
        nets.change_sequence,
    from members
    inner join intermediate.cot_nets as nets on nets.contract_no = members.contract_no and nets.report_no = members.member_no
    where nets.report_date >= members.window_start
),

-- A report is judged when it is published, and anew when a report of its window is revised or first becomes known after it.
moments as (
    select distinct contract_no, report_no, observed_at as known_at
    from paired
    where is_current or observed_at > first_observed_at
),

current as (
    select moments.*, nets.net
    from moments
    inner join intermediate.cot_nets as nets
        on nets.contract_no = moments.contract_no
        and nets.report_no = moments.report_no
        and nets.observed_at <= moments.known_at
        and nets.known_to > moments.known_at
),

-- Sums of whole numbers, so that the order of adding cannot show.
counted as (
    select
        current.contract_no,
        current.report_no,
        current.known_at,
        current.net,
        any_value(paired.report_date) as report_date,
        count(*) as count_3y,
        count(*) filter (where paired.net < current.net) + 0.5 * count(*) filter (where paired.net = current.net) as rank_3y,
        count(*) filter (where paired.member_date >= paired.report_date - 360) as count_1y,
        count(*) filter (where paired.member_date >= paired.report_date - 360 and paired.net < current.net)
        + 0.5 * count(*) filter (where paired.member_date >= paired.report_date - 360 and paired.net = current.net) as rank_1y,
        sum(paired.net::hugeint) as total,
        sum(paired.net::hugeint * paired.net::hugeint) as total_of_squares,
        arg_max(paired.net, paired.member_date) filter (where not paired.is_current) as net_before,
        max(paired.member_date) filter (where not paired.is_current) as date_before,
        max(paired.retrieved_at) as retrieved_at,
        max(paired.ingested_at) as ingested_at,
        max(paired.change_sequence) as change_sequence,
    from current
    inner join paired
        on paired.contract_no = current.contract_no
        and paired.report_no = current.report_no
        and paired.observed_at <= current.known_at
        and paired.known_to > current.known_at
    group by current.contract_no, current.report_no, current.known_at, current.net
),

scored as (
    select
        *,
        if(count_3y >= 104, 100 * rank_3y / count_3y, null) as percentile_3y,
        if(count_1y >= 40, 100 * rank_1y / count_1y, null) as percentile_1y,
        (count_3y * total_of_squares - total * total)::double / (count_3y::double * (count_3y - 1)) as variance,
    from counted
)

select
    contract_no,
    report_no,
    known_at,
    net,
    count_3y,
    percentile_3y,
    percentile_1y,
    if(report_date - date_before <= 10, net - net_before, null) as weekly_change,
    if(count_3y >= 104 and variance > 0, (net - total::double / count_3y) / sqrt(variance), null) as z_score_3y,
    retrieved_at,
    ingested_at,
    change_sequence,
from scored
