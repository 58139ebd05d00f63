-- Returns the inputs for the chances of players in a round, in one view of the database: the round, and JSON arrays.
-- There is one array per player and usable extra time of the round's group; a player without extra times has one array.
-- Each array contains: position in p_player_ids (from 1), player_key, version, draw_version, 1 if blocked or 2 if
-- excluded, number of records in the round, number of records on extra times, number of records of the day in all
-- rounds (0 unless the round limits it; p_days as in draws_of_day), then id and expiry in ms of the extra time. Returns
-- no row if the round does not exist or is deleted; skips unknown players. The draws of a player in a round are
-- numbered from 1 without gaps, so the last number is their count. The generic plan avoids planning at each call, which
-- takes longer than the reads. The plan may date from when the tables were empty, so the limits force one index look-up
-- per player.
create or replace function chance_inputs(p_rounds_id bigint, p_player_ids text[], p_days timestamptz[])
returns table (round jsonb, players text)
language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_sort = off as $$
declare
  v_rounds_id constant integer := case when p_rounds_id < 2147483648 then p_rounds_id end;
  v_today jsonb;
begin
  if exists (select from activity a where a.id = v_rounds_id and a.day_draws_max is not null) then
    select jsonb_object_agg(s.player_key, s.drawn) into v_today
    from (
      select t.player_key, sum(t.drawn) as drawn
      from draws_of_day(array(select p.player_key from player p where p.player_id = any (p_player_ids)), p_days,
        clock_timestamp()) t
      group by t.player_key
    ) s;
  end if;
  return query
  select to_jsonb(a) || jsonb_build_object(
      'is_open', a.rounds_status = 1 and clock_timestamp() >= a.start_time
        and clock_timestamp() < a.end_time + interval '1 second',
      'is_window_over', clock_timestamp() >= a.achieve_end_time + interval '1 second'),
    (
      select '[[' || string_agg(concat_ws(',', x.at, p.player_key, p.version, p.draw_version,
        case when p.blocked then 1 when p.excluded_until > clock_timestamp() then 2 else 0 end, coalesce(r.already, 0),
        coalesce(u.used, 0), coalesce(v_today -> p.player_key::text, '0'), e.id, (extract(epoch from e.expire_time) * 1000)::bigint), '],[') || ']]'
      from unnest(p_player_ids) with ordinality as x (player_id, at)
      cross join lateral (
        select * from player where player.player_id = x.player_id limit 1
      ) p
      left join lateral (
        select d.draw_no as already from draw_record d
        where d.player_key = p.player_key and d.rounds_id = v_rounds_id
        order by d.draw_no desc limit 1
      ) r on true
      left join lateral (
        select count(*) as used from extra_time t
        where t.used_rounds_id = v_rounds_id and t.player_key = p.player_key and t.used_log_id is not null
      ) u on r.already is not null
      left join lateral (
        select t.id, t.expire_time from extra_time t
        where t.player_key = p.player_key and t.tag = a.tag and t.used_log_id is null
          and t.expire_time > clock_timestamp() - interval '1 second'
        limit 1000000
      ) e on true
    )
  from activity a
  where a.id = v_rounds_id and a.deleted_at is null;
end $$;
