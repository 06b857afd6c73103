-- Every report beside the reports of its trailing 156 weeks, itself included, each in every version that was ever known. left_at: when a break of
-- scale between the two became known, if only after the report; from then on the member is none.
-- Grain: contract_no, report_no, member report, its observed_at.
with

first_known as (
    select contract_no, report_no, any_value(report_date) as report_date, min(observed_at) as first_observed_at
    from positions.cot_nets
    group by all
),

-- A window begins 1,088 days back: 155 weeks and three days, so that a report of Monday instead of Tuesday neither joins nor leaves it.
-- A break of scale within it begins it anew.
broken as (
    select
        first_known.contract_no,
        first_known.report_no,
        max(breaks.report_date) filter (where breaks.known_from <= first_known.first_observed_at) as break_date,
        list({ report_date: breaks.report_date, known_from: breaks.known_from }) filter (where breaks.known_from > first_known.first_observed_at)
            as late_breaks,
    from first_known
    inner join positions.cot_breaks as breaks
        on breaks.contract_no = first_known.contract_no
        and breaks.report_date between first_known.report_date - 1088 and first_known.report_date
    group by all
),

windows as (
    select
        first_known.*,
        greatest(first_known.report_date - 1088, coalesce(broken.break_date, date '0001-01-01')) as window_start,
        broken.late_breaks,
    from first_known
    left join broken using (contract_no, report_no)
),

-- Which reports stand in which window: at most 156 weekly ones, with some to spare for weeks with two.
members as (
    select windows.*, windows.report_no - steps.step as member_no
    from windows
    cross join (select unnest(range(0, 170))::integer as step) as steps
    where windows.report_no > steps.step
)

select
    members.contract_no,
    members.report_no,
    members.report_date,
    members.first_observed_at,
    nets.report_no = members.report_no as is_current,
    nets.report_date as member_date,
    nets.net,
    nets.observed_at,
    if(
        members.late_breaks is null,
        null,
        list_min(list_transform(list_filter(members.late_breaks, lambda break: break.report_date > nets.report_date), lambda break: break.known_from))
    ) as left_at,
    least(nets.known_to, coalesce(left_at, timestamptz 'infinity')) as known_to,
    nets.retrieved_at,
    nets.ingested_at,
    nets.change_sequence,
from members
inner join positions.cot_nets as nets on nets.contract_no = members.contract_no and nets.report_no = members.member_no
where nets.report_date >= members.window_start
