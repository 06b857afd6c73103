-- Positioning statistics per report and moment of knowledge (docs/reference/methods.md#cot-positioning): the rank of
-- the net position among the reports of the trailing 52 and 156 weeks known at that moment, the current one included.
-- Reports before a break of scale in the reference data do not count. Grain: contract_no, report_no, known_at.
with

-- A report is ranked when it is published, and again if a report of its window is revised or first becomes known later.
moments as (
    select contract_no, report_no, observed_at as known_at
    from positions.cot_windows
    where is_current or observed_at > first_observed_at
),

current as (
    select moments.*, nets.net
    from moments
    inner join positions.cot_nets as nets
        on nets.contract_no = moments.contract_no
        and nets.report_no = moments.report_no
        and nets.observed_at <= moments.known_at
        and nets.known_to > moments.known_at
),

-- Sums of whole numbers, so that the order of addition does not matter.
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
    inner join positions.cot_windows as paired
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
