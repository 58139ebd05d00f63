-- Writes what a statement changed in a list as deltas. Insert-only: no writer waits for another's counter.
-- A truncated table takes its rollups with it, under the lock of the fold.
create or replace function rollup_change() returns trigger
language plpgsql as $$
declare
  added text := rollup_rows(tg_table_name, 'new_rows');
  removed text := 'select minute, a, b, -n as n, -cents as cents from (' || rollup_rows(tg_table_name, 'old_rows') || ') o';
begin
  if tg_op = 'TRUNCATE' then
    perform pg_advisory_xact_lock(hashtext('rollup_fold'));
    delete from rollup_delta where list = tg_table_name;
    delete from rollup where list = tg_table_name;
    return null;
  end if;
  execute format(
    'insert into rollup_delta (list, minute, a, b, n, cents)
     select %L, minute, a, b, sum(n), sum(cents) from (%s) r
     group by minute, a, b having sum(n) <> 0 or sum(cents) <> 0',
    tg_table_name,
    case tg_op when 'INSERT' then added when 'DELETE' then removed
      else added || ' union all ' || removed end);
  return null;
end $$;
