-- Every report with the reports of its trailing 156 weeks, itself included, each in every version that was ever known.
-- A break of scale in reference.cot_breaks restarts the window. Grain: contract_no, report_no, member report, its
-- observed_at.
with

first_known as (
    select
        contract_no,
        report_no,
        any_value(entity_id) as entity_id,
        any_value(report_date) as report_date,
        min(observed_at) as first_observed_at,
    from positions.cot_nets
    group by all
),

-- A window begins 1,088 days back: 155 weeks and three days, so that a report on Monday instead of Tuesday neither
-- enters nor leaves it.
windows as (
    select
        first_known.contract_no,
        first_known.report_no,
        first_known.report_date,
        first_known.first_observed_at,
        greatest(first_known.report_date - 1088, coalesce(max(breaks.report_date), date '0001-01-01')) as window_start,
    from first_known
    left join reference.cot_breaks as breaks
        on breaks.entity_id = first_known.entity_id
        and breaks.report_date <= first_known.report_date
    group by first_known.contract_no, first_known.report_no, first_known.report_date, first_known.first_observed_at
),

-- The reports of each window: at most 156 weekly ones, plus some for weeks with two.
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
    nets.known_to,
    nets.retrieved_at,
    nets.ingested_at,
    nets.change_sequence,
from members
inner join positions.cot_nets as nets on nets.contract_no = members.contract_no and nets.report_no = members.member_no
where nets.report_date >= members.window_start
