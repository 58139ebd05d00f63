-- The sum for a code may be off, as the two others.
alter table setting drop constraint setting__value, add constraint setting__value check (case
  when key in ('guard_sum', 'band_reason', 'band_second') then value ~ '^(off|(0|[1-9][0-9]{0,9})[.][0-9]{2})$'
  else key = 'guard_programs' and value in ('on', 'off') end);
