-- Schedules of sources, for releases in reference.releases: one row per source_id, schedule_id and version of a
-- statement, in force in [observed_at, known_to). Documents of central banks prove that a meeting took place; minutes
-- have the date of the meeting. due_at: the earliest time of the release, or the start of the day without an hour.
-- due_date: that day in the publisher's time zone. Prints of a real-time archive prove that a release took place.
with

codes as (
    select release_id, timezone, unnest(codes) as named
    from reference.releases
),

stated as (
    select
        source_id,
        schedule_id,
        release_code,
        scheduled_at,
        time_precision,
        timezone,
        status,
        period,
        url,
        observed_at,
        retrieved_at,
        run_id,
        record_hash,
    from lake.schedules
    union all by name
    select
        source_id,
        document_id as schedule_id,
        document_type as release_code,
        released_at < date_trunc('day', released_at) + interval '23:59:59.999'
        and released_at <> retrieved_at
        and document_type <> 'minutes' as is_exact,
        if(is_exact, released_at, if(document_type = 'minutes', event_date, (released_at at time zone 'UTC')::date)::timestamp at time zone 'UTC')
            as scheduled_at,
        if(is_exact, 'exact', 'date_only') as time_precision,
        'released' as status,
        url,
        observed_at,
        retrieved_at,
        run_id,
        record_hash,
    from lake.documents
    qualify row_number() over (partition by source_id, document_id order by retrieved_at, observed_at, record_hash) = 1
    union all by name
    select
        source_id,
        schedule_id,
        release_code,
        (observed_at at time zone 'UTC')::date::timestamp at time zone 'UTC' as scheduled_at,
        'date_only' as time_precision,
        'released' as status,
        period,
        observed_at,
        retrieved_at,
        run_id,
        true as is_of_print,
    from calendar.release_days
),

named as (
    select
        codes.release_id,
        stated.* exclude (timezone, is_exact, is_of_print),
        coalesce(stated.timezone, codes.timezone) as timezone,
        coalesce(stated.is_of_print, false) as is_of_print,
        max(observed_at) over (
            partition by source_id, schedule_id order by retrieved_at range between unbounded preceding and interval 1 microsecond preceding
        ) as observed_before,
    from stated
    inner join codes on codes.named.source_id = stated.source_id and codes.named.code = stated.release_code
),

-- A statement that replaces a later-dated one is known from its retrieval.
dated as (
    select
        * exclude (observed_at, observed_before, release_code),
        release_code,
        if(observed_before >= observed_at, retrieved_at, observed_at) as observed_at,
    from named
),

placed as (
    select
        *,
        (scheduled_at at time zone if(time_precision = 'exact', timezone, 'UTC'))::date as due_date,
        if(time_precision = 'exact', scheduled_at, due_date::timestamp at time zone timezone) as due_at,
        case time_precision when 'exact' then 1 when 'date_only' then 2 else 3 end as precision_rank,
        lead(observed_at) over (partition by source_id, schedule_id order by observed_at, retrieved_at, record_hash) as known_to,
    from dated
    qualify observed_at is distinct from known_to
)

-- A print gives the day of a release, unless a schedule gives one for that period or within a week: an archive may take
-- a number over some days later.
select * exclude (is_of_print)
from placed
where
    not is_of_print
    or not exists (
        from placed as listed
        where
            not listed.is_of_print
            and listed.release_id = placed.release_id
            and listed.status <> 'cancelled'
            and listed.observed_at <= placed.observed_at
            and listed.due_date between placed.due_date - if(listed.period = placed.period, 45, 6) and placed.due_date
    )
