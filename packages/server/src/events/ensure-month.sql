-- Creates the partition of a month for deposits or bets if it is missing.
create or replace function ensure_month(p_table text, p_month date) returns void
language plpgsql as $$
declare
  part text := format('%s_%s', p_table, to_char(p_month, 'YYYYMM'));
begin
  if to_regclass(part) is not null then
    return;
  end if;
  if exists (select from detached_month d where d.kind = p_table and d.month = p_month) then
    raise exception '% of % were detached', p_table, p_month;
  end if;
  perform pg_advisory_xact_lock(hashtext('ensure_month'));
  -- Reads pg_class, because to_regclass may return a result from before the wait.
  if exists (select from pg_class where relname = part and relnamespace = 'public'::regnamespace) then
    return;
  end if;
  -- LIKE and ATTACH take a lighter lock on the parent than CREATE … PARTITION OF.
  execute format('create table %I (like %I including defaults including constraints)', part, p_table);
  execute format(
    'alter table %I attach partition %I for values from (%L) to (%L)',
    p_table, part,
    to_char(p_month, 'YYYY-MM-DD') || ' 00:00:00+00',
    to_char(p_month + interval '1 month', 'YYYY-MM-DD') || ' 00:00:00+00'
  );
end $$;
