-- The sum for a code may be off, as the two others; goods count as so much in what a change may cost.
alter table setting drop constraint setting__value, add constraint setting__value check (case
  when key in ('guard_sum', 'band_reason', 'band_second') then value ~ '^(off|(0|[1-9][0-9]{0,9})[.][0-9]{2})$'
  when key = 'goods_value' then value ~ '^(0|[1-9][0-9]{0,9})[.][0-9]{2}$'
  else key = 'guard_programs' and value in ('on', 'off') end);

-- The minutes of one round, for its highest pace.
create index rollup__round on rollup (b, start) where list = 'draw_record' and width = 1 and a = 1;
