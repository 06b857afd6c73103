-- True if a statement line differs from the first one for its period. Counts and amounts per share from before and
-- after a split are compared in the same shares. In that case rounding is no difference: half a cent on either side,
-- half a million or half a thousand shares.
create or replace macro is_restatement(line, first_line) as
case
    when line.share_basis is null or line.share_basis = first_line.share_basis then line.value != first_line.value
    when ends_with(line.unit, '/shares')
        then
            round(abs(line.value - first_line.value * first_line.share_basis / line.share_basis), 6)
            > 0.005 * (1 + first_line.share_basis / line.share_basis)
    else
        abs(line.value - first_line.value * line.share_basis / first_line.share_basis)
        > 0.5 * (
            case when line.value % 1000000 = 0 then 1000000 when line.value % 1000 = 0 then 1000 else 1 end
            + case when first_line.value % 1000000 = 0 then 1000000 when first_line.value % 1000 = 0 then 1000 else 1 end
            * line.share_basis / first_line.share_basis
        )
end
