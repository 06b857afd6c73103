-- Names by which canonical indicators can be found, in lower case. An id has priority over another indicator's slug or
-- alias. Grain: name.
create or replace macro indicator_names() as table
    select name, first(canonical_id order by place, canonical_id) as canonical_id
    from (
        select canonical_id, canonical_id as name, 0 as place
        from published.canonical_indicators
        union all
        select canonical_id, lower(unnest([slug] || coalesce(aliases, []))), 1
        from published.canonical_indicators
    )
    group by name
