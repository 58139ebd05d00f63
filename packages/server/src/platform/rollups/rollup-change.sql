-- Returns the statement that writes the changes of a list as deltas. p_new and p_old name the rows that were added and
-- removed, or are null. Deltas are only inserted, so no writer waits for the counter of another writer.
create or replace function rollup_change_sql(p_list text, p_new text, p_old text) returns text
language sql immutable as $$
  select format(
    'insert into rollup_delta (list, minute, a, b, n, cents)
     select %L, minute, a, b, sum(n), sum(cents) from (%s) r
     group by minute, a, b having sum(n) <> 0 or sum(cents) <> 0',
    p_list,
    concat_ws(' union all ',
      case when p_new is not null then rollup_rows(p_list, p_new) end,
      'select minute, a, b, -n as n, -cents as cents from ('
        || case when p_old is not null then rollup_rows(p_list, p_old) end || ') o'))
$$;

-- Writes the changes of a statement as deltas. When a table is truncated, this deletes its rollups under the lock of
-- the fold.
create or replace function rollup_change() returns trigger
language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    perform pg_advisory_xact_lock(hashtext('rollup_fold'));
    delete from rollup_delta where list = tg_table_name;
    delete from rollup where list = tg_table_name;
    return null;
  end if;
  execute rollup_change_sql(tg_table_name, case when tg_op <> 'DELETE' then 'new_rows' end,
    case when tg_op <> 'INSERT' then 'old_rows' end);
  return null;
end $$;
