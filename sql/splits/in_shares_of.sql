-- The value of a statement line in the shares of a basis: counts of shares and amounts per share change with splits. Null
-- as the basis: as filed. Rounds off the noise of binary fractions: 9.21 / 4 is 2.3025.
create or replace macro in_shares_of(basis, line) as
case
    when basis is null or line.share_basis is null or line.share_basis = basis then line.value
    when line.unit = 'shares' then round(line.value * basis / line.share_basis, 4)
    else round(line.value * line.share_basis / basis, 10)
end
