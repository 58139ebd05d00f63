-- Adds the deltas to the rollups; answers how many there were. One session at a time; another answers 0.
-- Readers see a delta or its fold, never both: one statement does the two.
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
