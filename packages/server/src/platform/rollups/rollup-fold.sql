-- Adds the deltas to the rollups and returns the number of deltas. One session folds at a time; any other session gets
-- 0. One statement deletes the deltas and adds them, so readers see a delta or its fold, never both.
create or replace function rollup_fold() returns bigint
language plpgsql as $$
declare
  folded bigint;
begin
  if not pg_try_advisory_xact_lock(hashtext('rollup_fold')) then
    return 0;
  end if;
  with gone as (
    delete from rollup_delta returning *
  ),
  added as (
    insert into rollup as r (list, width, start, a, b, n, cents)
    select list, width, minute - minute % width as start, a, b, sum(n), sum(cents)
    from gone cross join (values (1), (60), (1440)) w (width)
    group by list, width, start, a, b
    on conflict (list, width, start, a, b)
      do update set n = r.n + excluded.n, cents = r.cents + excluded.cents
  )
  select count(*) into folded from gone;
  return folded;
end $$;
