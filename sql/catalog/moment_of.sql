-- The moment of knowledge that a day or an instant means: a day means its end, UTC. A later moment than now means now.
create or replace macro moment_of(at_time) as least(
    case
        when length(at_time::varchar) = 10 then (left(at_time::varchar, 10) || ' 23:59:59.999Z')::timestamptz
        else at_time::timestamptz
    end,
    now()
)
