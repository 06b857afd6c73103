-- Without the noise of binary fractions: twelve significant digits, the nearest, halves away from zero.
create or replace macro significant_12(value) as
    format('{:.11e}', if(regexp_full_match(format('{:.30e}', value), '-?\d\.\d{11}50{18}e.*'), value * (1 + 1e-13), value))::double
