-- Splits the minutes from p_from (inclusive) to p_to (exclusive) into ranges of minutes, hours, days, hours and
-- minutes. Each range uses the widest unit that fits.
create or replace function rollup_spans(p_from bigint, p_to bigint)
returns table (width integer, first bigint, last bigint)
language sql immutable rows 5 as $$
  select s.width, s.first, s.last
  from (select least((p_from + 59) / 60 * 60, p_to) as h1) h1
  cross join lateral (select greatest(p_to / 60 * 60, h1) as h2) h2
  cross join lateral (select least((h1 + 1439) / 1440 * 1440, h2) as d1) d1
  cross join lateral (select greatest(h2 / 1440 * 1440, d1) as d2) d2
  cross join lateral (
    values (1, p_from, h1), (60, h1, d1), (1440, d1, d2), (60, d2, h2), (1, h2, p_to)
  ) s (width, first, last)
  where s.first < s.last
$$;

-- Returns the buckets of one width: folded rows plus deltas, minus one row for each minute in p_less. Null codes mean
-- code 0.
create or replace function rollup_buckets(
  p_list text, p_width integer, p_from bigint, p_to bigint, p_a bigint[], p_b bigint[],
  p_less bigint[]
) returns table (start bigint, n bigint, cents numeric)
language sql stable rows 100 as $$
  select x.start, sum(x.n)::bigint, sum(x.cents)
  from (
    select r.start, r.n, r.cents from rollup r
    where r.list = p_list and r.width = p_width and r.start >= p_from and r.start < p_to
      and r.a = any (coalesce(p_a, '{0}')) and r.b = any (coalesce(p_b, '{0}'))
    union all
    select d.minute - d.minute % p_width, d.n, d.cents from rollup_delta d
    where d.list = p_list and d.minute >= p_from and d.minute < p_to
      and d.a = any (coalesce(p_a, '{0}')) and d.b = any (coalesce(p_b, '{0}'))
    union all
    select l.minute - l.minute % p_width, -1, 0 from unnest(p_less) l (minute)
    where l.minute >= p_from and l.minute < p_to
  ) x
  group by x.start
$$;

-- Returns the count and cents of whole minutes.
create or replace function rollup_total(
  p_list text, p_from bigint, p_to bigint, p_a bigint[], p_b bigint[]
) returns table (n bigint, cents numeric)
language plpgsql stable rows 1
-- Each session plans once, because planning took longer than reading. All reads are by key, whatever the table
-- statistics say.
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  return query
    select coalesce(sum(r.n), 0)::bigint, coalesce(sum(r.cents), 0)
    from rollup_spans(p_from, p_to) s
    cross join lateral rollup_buckets(p_list, s.width, s.first, s.last, p_a, p_b, null) r;
end $$;
