-- Counts one day of a list again while the system runs, and returns how many rollups were wrong. p_day is the first
-- minute of the day. One statement sees the rows and the deltas that are not folded yet in one snapshot, so rollups
-- must equal the difference; rows that commit later write their own deltas. The lock stops the fold meanwhile.
create or replace function rollup_rebuild(p_list text, p_day bigint) returns bigint
language plpgsql as $$
declare
  ids constant bigint := case p_list when 'extra_time' then 256 else 983040000 end;
  mended bigint;
begin
  perform pg_advisory_xact_lock(hashtext('rollup_fold'));
  execute format(
    'with minutes as (
       select minute, a, b, sum(n) as n, sum(cents) as cents
       from (
         %s
         union all
         select minute, a, b, -n, -cents from rollup_delta
         where list = %L and minute >= %s and minute < %3$s + 1440
       ) r
       group by minute, a, b
     ),
     mended as (
       insert into rollup as r (list, width, start, a, b, n, cents)
       select %2$L, width, start, a, b, sum(n), sum(cents)
       from (
         select width, minute - minute %% width as start, a, b, n, cents
         from minutes cross join (values (1), (60), (1440)) w (width)
         union all
         select width, start, a, b, -n, -cents from rollup
         where list = %2$L and width in (1, 60, 1440) and start >= %3$s and start < %3$s + 1440
       ) x
       group by width, start, a, b
       having sum(n) <> 0 or sum(cents) <> 0
       order by width, a, b, start
       on conflict (list, width, a, b, start) do update set n = r.n + excluded.n, cents = r.cents + excluded.cents
       returning 1
     )
     select count(*) from mended',
    rollup_rows(p_list, format('%I where %I >= %s and %2$I < %4$s', p_list, case p_list when 'payout' then 'log_id' else 'id' end,
        p_day * ids, (p_day + 1440) * ids)
      -- This range limits the partitions that are read.
      || case when p_list in ('deposit', 'bet') then format(
        ' and created_at >= timestamptz ''2020-01-01 00:00+00'' + %s * interval ''1 minute''
          and created_at < timestamptz ''2020-01-01 00:00+00'' + (%1$s + 1440) * interval ''1 minute''',
        p_day) else '' end),
    p_list, p_day)
  into mended;
  return mended;
end $$;
