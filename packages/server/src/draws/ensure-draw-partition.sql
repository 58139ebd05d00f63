-- Creates the partition of a round before its first record. 64 rounds share a partition.
create or replace function ensure_draw_partition(p_rounds_id integer) returns void
language plpgsql as $$
declare
  block constant integer := 64;
  low integer := p_rounds_id / block * block;
  part text := format('draw_record_%s', lpad((p_rounds_id / block)::text, 6, '0'));
begin
  if to_regclass(part) is not null then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtext('ensure_draw_partition'));
  -- Reads pg_class, because to_regclass may return a result from before the wait.
  if exists (select from pg_class where relname = part and relnamespace = 'public'::regnamespace) then
    return;
  end if;
  execute format('create table %I (like draw_record including defaults including constraints) with (fillfactor = 95)', part);
  execute format('alter table draw_record attach partition %I for values from (%s) to (%s)',
                 part, low, low + block);
end $$;
