-- Returns the minutes that contain p_take rows after the first p_skip rows, newest first, and how many rows to skip and
-- to take in each minute. p_newer and p_older are the row counts of the partial minutes p_to and p_from - 1, which the
-- caller counts. p_less are the minutes of counted rows to leave out. The function is stable, so it reads the snapshot
-- of the caller's statement and every counted row exists.
create or replace function rollup_places(
  p_list text, p_from bigint, p_to bigint, p_a bigint[], p_b bigint[],
  p_newer bigint, p_older bigint, p_skip bigint, p_take bigint,
  p_less bigint[] default null
) returns table (start bigint, skip bigint, take bigint)
language plpgsql stable rows 20
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  return query
    with wide as (
      select x.*, sum(x.n) over (order by x.start desc) - x.n as newer
      from (
        select s.width, r.start, r.n
        from rollup_spans(p_from, p_to) s
        cross join lateral rollup_buckets(p_list, s.width, s.first, s.last, p_a, p_b, p_less) r
        union all
        values (1, p_to, p_newer), (1, p_from - 1, p_older)
      ) x
      where x.n > 0
    ),
    hours as (
      select w.* from wide w where w.width < 1440
      union all
      select 60, r.start, r.n, w.newer + sum(r.n) over (partition by w.start order by r.start desc) - r.n
      from wide w cross join lateral rollup_buckets(p_list, 60, w.start, w.start + 1440, p_a, p_b, p_less) r
      where w.width = 1440 and w.newer < p_skip + p_take and w.newer + w.n > p_skip and r.n > 0
    ),
    minutes as (
      select h.* from hours h where h.width = 1
      union all
      select 1, r.start, r.n, h.newer + sum(r.n) over (partition by h.start order by r.start desc) - r.n
      from hours h cross join lateral rollup_buckets(p_list, 1, h.start, h.start + 60, p_a, p_b, p_less) r
      where h.width = 60 and h.newer < p_skip + p_take and h.newer + h.n > p_skip and r.n > 0
    )
    select m.start, greatest(p_skip - m.newer, 0)::bigint,
      (least(m.newer + m.n, p_skip + p_take) - greatest(m.newer, p_skip))::bigint
    from minutes m
    where m.newer < p_skip + p_take and m.newer + m.n > p_skip;
end $$;
