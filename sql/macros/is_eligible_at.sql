-- Whether a value passes the scoring gate at a moment (methods.md, 6), as rowReasons of src/model/trust.ts says: due_at null is a budget not known, with which
-- an event is not eligible and what is periodic is not stale.
create or replace macro is_eligible_at(is_barred, ceased_at, inputs_ceased_at, frequency, due_at, vintage, moment) as
    not (
        is_barred
        or coalesce(ceased_at <= moment, false)
        or coalesce(inputs_ceased_at <= moment, false)
        or coalesce(due_at < moment, frequency = 'event')
        or starts_with(vintage, 'pseudo:')
    )
