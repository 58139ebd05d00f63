-- Counts the draws of players on the business day of p_at (behaviour §4): one row per player and round with such draws,
-- including deleted rounds. p_days are the starts of the days around p_at in the time zone of the caller; raises RP001
-- if p_at is not in one of these days. A round can have records of the day if it runs on that day, or if an edit may
-- have moved it since; this also holds for past times (as-of.sql). Uses one statement per round, because a join would
-- prepare the partition of every round. The sort order forces the index: a plan from when the round was empty would
-- read all its records for each player.
create or replace function draws_of_day(p_player_keys bigint[], p_days timestamptz[], p_at timestamptz,
  p_without_rounds_id integer default null)
returns table (player_key bigint, drawn integer)
language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_sort = off as $$
declare
  v_start constant timestamptz := (select max(d) from unnest(p_days) d where d <= p_at);
  v_end constant timestamptz := (select min(d) from unnest(p_days) d where d > p_at);
  v_rounds_id integer;
begin
  if v_start is null or v_end is null then
    raise exception 'another day' using errcode = 'RP001';
  end if;
  for v_rounds_id in
    select a.id from public.activity a where a.end_time >= v_start - interval '1 second' and a.start_time < v_end
      and a.id is distinct from p_without_rounds_id
    union
    select v.rounds_id from activity_rule v where v.created_at >= v_start and v.rounds_id is distinct from p_without_rounds_id
  loop
    return query
    select k.player_key, d.drawn
    from unnest(p_player_keys) k (player_key)
    cross join lateral (
      select count(*)::integer as drawn
      from (
        select r.created_at from draw_record r
        where r.player_key = k.player_key and r.rounds_id = v_rounds_id
        order by r.draw_no desc
      ) r
      where r.created_at >= v_start and r.created_at < v_end
    ) d
    where d.drawn > 0;
  end loop;
end $$;
