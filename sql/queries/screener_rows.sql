-- A page of a screen, one row per entity and field shown, with what became of all entities beside each; one row alone, of no entity, where the page is empty. Fields, terms
-- of the filter and keys of the ranking come as lists side by side. A term about a missing value does not hold, unless it asks for that. The statistics of `compared` are
-- read for the fields that need them alone.
with

refs as (
    select
        generate_subscripts($ref_fields::varchar[], 1) as ref_no,
        unnest($ref_fields::varchar[]) as field,
        unnest($ref_modifiers::varchar[]) as modifier,
),

terms as (
    select
        unnest($term_clauses::integer[]) as clause_no,
        generate_subscripts($term_clauses::integer[], 1) as term_no,
        unnest($term_refs::integer[]) as ref_no,
        unnest($term_operators::varchar[]) as operator,
),

operands as (
    select
        unnest($operand_terms::integer[]) as term_no,
        unnest($operand_lows::double[]) as low,
        unnest($operand_highs::double[]) as high,
        unnest($operand_texts::varchar[]) as text,
),

rank_keys as (
    select
        generate_subscripts($key_refs::integer[], 1) as key_no,
        unnest($key_refs::integer[]) as ref_no,
        unnest($key_directions::integer[]) as direction,
),

members as (
    select entity_id, entity_type, name, country, sector
    from published.screened_entities
    where
        ($entity_types::varchar[] is null or list_contains($entity_types::varchar[], entity_type))
        and ($country::varchar is null or country = $country::varchar)
        and ($sector::varchar is null or lower(sector) = lower($sector::varchar))
        and (valid_from is null or valid_from <= $on_date::date)
        and (valid_to is null or valid_to >= $on_date::date)
        and ($as_of::timestamptz is null or known_from is null or known_from <= $as_of::timestamptz)
        and ($as_of::timestamptz is null or class_from is null or class_from <= $as_of::timestamptz)
        and (class_to is null or class_to > $as_of::timestamptz)
),

candidates as (
    select series.*
    from published.screened_series as series
    semi join members using (entity_id)
    where
        list_contains($ref_fields::varchar[], series.canonical_id)
        and (series.is_redistributable or (series.licensed_source_ids != [] and list_has_all($granted_source_ids::varchar[], series.licensed_source_ids)))
),

judged as (
    select
        candidates.canonical_id as field,
        candidates.entity_id,
        candidates.frequency,
        candidates.is_contested,
        candidates.preference,
        candidates.source_id,
        candidates.indicator_id,
        states.*,
        candidates.frequency != 'event' and coalesce(candidates.ceased_at > $at::timestamptz, true) and coalesce($at::timestamptz <= states.due_at, false) as is_fresh,
        is_eligible_at(
            candidates.is_barred, candidates.ceased_at, candidates.inputs_ceased_at, candidates.frequency, states.due_at, states.vintage, $at::timestamptz
        ) as is_eligible,
    from published.states as states
    inner join candidates using (indicator_no, series_no)
    where
        states.epoch = $epoch::smallint
        and ($as_of::timestamptz is null or states.known_from <= $as_of::timestamptz)
        and (states.known_to is null or states.known_to > $as_of::timestamptz)
        and ($period_from::date is null or states.period_end >= $period_from::date)
),

-- One per field and entity: the preferred of its series.
held as (
    select *, is_eligible or not $is_eligible_only::boolean as is_usable
    from judged
    where is_fresh or not $is_fresh_only::boolean
    qualify
        not is_contested
        or row_number() over (
            partition by field, entity_id
            order by
                is_eligible desc, preference, epoch_ms(observed_at) desc, epoch_ms(retrieved_at) desc, source_id,
                if(is_contested, sha256(concat_ws('|', source_id, indicator_id, entity_id, frequency, period, vintage)), null)
        ) = 1
),

readings as (from held where is_usable),

compared as (
    select
        readings.series_no,
        arg_max(known.value, known.period_end) filter (where known.period_end < readings.period_end) as previous,
        arg_max(known.value, known.period_end) filter (where known.period_end between readings.year_ago - 10 and readings.year_ago) as value_year_ago,
        count(*) filter (where known.period_end > readings.period_end - interval 36 month) as count_3y,
        avg(known.value) filter (where known.period_end > readings.period_end - interval 36 month) as mean_3y,
        stddev_samp(known.value) filter (where known.period_end > readings.period_end - interval 36 month) as deviation_3y,
    from published.values_3y as known
    inner join (
        select
            *,
            -- The period that ends on that day, or for days and weeks within ten days before it.
            if(period_end = last_day(period_end), last_day(period_end - interval 12 month), (period_end - interval 12 month)::date) as year_ago,
        from readings
        where list_contains($compared_fields::varchar[], field)
    ) as readings
        on known.indicator_no = readings.indicator_no and known.series_no = readings.series_no
    where
        known.epoch = $epoch::smallint
        and ($as_of::timestamptz is null or known.known_from <= $as_of::timestamptz)
        and (known.known_to is null or known.known_to > $as_of::timestamptz)
        and ($period_from::date is null or known.period_end >= $period_from::date)
        and known.period_end <= readings.period_end
    group by all
),

measured as (
    select
        refs.ref_no,
        refs.modifier,
        readings.entity_id,
        case refs.modifier
            when 'prev' then compared.previous
            when 'chg1' then significant_12(readings.value - compared.previous)
            when 'chg12' then significant_12(readings.value - compared.value_year_ago)
            when 'yoy' then if(compared.value_year_ago > 0, significant_12(100 * (readings.value / compared.value_year_ago - 1)), null)
            when 'z3y' then if(
                -- Two thirds of the values that there should be.
                compared.count_3y >= case readings.frequency when 'daily' then 500 when 'weekly' then 104 when 'monthly' then 24 when 'quarterly' then 8 end
                    and compared.deviation_3y > 0,
                (readings.value - compared.mean_3y) / compared.deviation_3y,
                null
            )
            when 'age_days' then floor((epoch_ms($at::timestamptz) - epoch_ms((readings.period_end + 1)::timestamp)) / 86400000)
            else readings.value
        end as value,
    from readings
    inner join refs on refs.field = readings.field
    left join compared on compared.series_no = readings.series_no
),

placed as (
    select
        *,
        rank() over ascending - 1 as below,
        count(*) over ascending - below as equal,
        count(*) over (partition by ref_no) as total,
        midrank_percentile(below, equal, total) as percentile,
    from measured
    where value is not null
    window ascending as (partition by ref_no order by value)
),

relative as (
    select
        *,
        rank() over ascending - 1 as below,
        count(*) over ascending - below as equal,
    from (
        select ref_no, entity_id, total, if(modifier = 'rank', total - below - equal + 1, percentile)::double as value
        from placed
        where modifier in ('rank', 'pct')
    )
    window ascending as (partition by ref_no order by value)
),

cells as (
    select ref_no, entity_id, value, null::varchar as text, percentile
    from placed
    where modifier not in ('rank', 'pct')
    union all by name
    select ref_no, entity_id, value, midrank_percentile(below, equal, total) as percentile
    from relative
    union all by name
    select
        refs.ref_no,
        members.entity_id,
        case refs.field
            when 'name' then members.name
            when 'country' then members.country
            when 'entity_type' then members.entity_type
            when 'sector' then members.sector
        end as text,
    from members
    inner join refs on refs.field in ('name', 'country', 'entity_type', 'sector')
    where text is not null
),

tested as (
    select
        members.entity_id,
        terms.clause_no,
        terms.term_no,
        terms.operator,
        cells.entity_id is null as is_null,
        coalesce(not held.is_usable, false) as is_ineligible,
        -- No operand of a term about presence.
        coalesce(bool_or(
            case terms.operator
                when 'gt' then cells.value > operands.low
                when 'lt' then cells.value < operands.high
                else cells.value between operands.low and operands.high or lower(cells.text) = lower(operands.text)
            end
        ), false) as is_within,
    from members
    cross join terms
    inner join refs using (ref_no)
    left join cells on cells.entity_id = members.entity_id and cells.ref_no = terms.ref_no
    left join held on held.entity_id = members.entity_id and held.field = refs.field
    left join operands on operands.term_no = terms.term_no
    group by all
),

clauses as (
    select
        entity_id,
        clause_no,
        bool_or(
            case operator
                when 'null' then is_null
                when 'notnull' then not is_null
                when 'not' then not is_null and not is_within
                else is_within
            end
        ) as is_held,
        bool_or(is_null and operator not in ('null', 'notnull')) as is_missing,
        bool_or(is_null and operator not in ('null', 'notnull') and is_ineligible) as is_ineligible,
    from tested
    group by all
),

verdicts as (
    select
        members.*,
        coalesce(bool_and(clauses.is_held), true) as is_match,
        coalesce(bool_or(clauses.is_missing), false) as is_missing,
        coalesce(bool_or(clauses.is_ineligible), false) as is_ineligible,
    from members
    left join clauses using (entity_id)
    group by all
),

counts as (
    select
        count(*) as evaluated,
        count(*) filter (where is_match) as matched,
        count(*) filter (where not is_match and is_missing and not is_ineligible) as excluded_missing,
        count(*) filter (where not is_match and is_ineligible) as excluded_ineligible,
    from verdicts
),

-- Keys as numbers that ascend in the order asked for, what is missing last.
keyed as (
    select
        verdicts.entity_id,
        list(
            case
                when cells.entity_id is null then 'infinity'::double
                else rank_keys.direction * coalesce(cells.value, texts.place)
            end
            order by rank_keys.key_no
        ) as keys,
    from verdicts
    cross join rank_keys
    left join cells on cells.entity_id = verdicts.entity_id and cells.ref_no = rank_keys.ref_no
    left join (select ref_no, text, row_number() over (order by text) as place from (select distinct ref_no, text from cells where text is not null)) as texts
        on texts.ref_no = cells.ref_no and texts.text = cells.text
    where verdicts.is_match
    group by all
),

ranked as (
    select
        verdicts.*,
        row_number() over (order by keyed.keys, if(keyed.keys is null, verdicts.name, null), verdicts.entity_id) as place,
    from verdicts
    left join keyed using (entity_id)
    where verdicts.is_match
),

page as (
    select *, if($is_by_name::boolean, row_number() over (order by name, place), place) as position
    from ranked
    qualify if($is_descending::boolean, count(*) over () + 1 - position, position) between $begin::bigint + 1 and $begin::bigint + $count::bigint
)

select
    counts.evaluated,
    counts.matched,
    counts.excluded_missing,
    counts.excluded_ineligible,
    page.place as "rank",
    page.entity_id,
    page.entity_type,
    page.name,
    page.country,
    refs.ref_no,
    cells.value,
    cells.text,
    cells.percentile,
    readings.series_no,
    readings.period,
    readings.period_end,
    readings.vintage,
    readings.observed_at,
from counts
left join page on true
left join refs on page.entity_id is not null and list_contains($shown_refs::integer[], refs.ref_no)
left join cells on cells.entity_id = page.entity_id and cells.ref_no = refs.ref_no
left join readings on readings.entity_id = page.entity_id and readings.field = refs.field
order by if($is_descending::boolean, -page.position, page.position), list_position($shown_refs::integer[], refs.ref_no)
