-- Commits a batch of draws that the caller decided on data it read earlier. Checks everything that could have changed
-- since, under locks. If only players changed (a reversal, a block, an extra time, no earned chance left after draws of
-- another process, a limit reached) or another transaction has locked them, their draws are skipped and the others are
-- committed: log_ids is null for skipped draws, and the caller decides them again. New rows that count do not affect a
-- draw that already had its chance. Draws of another process only raise the draw numbers, while enough earned chances
-- are left; is_shared reports such draws. Any other difference raises RP001, and nothing is written. Lock order: stop
-- switches (share), the round (share), players, extra times, prizes, each kind by id. So rows that many draws need are
-- locked only during the commit. A change of the draws of a player locks the player before anything that a draw waits
-- for: it waits for running draws, and no draw decided earlier commits for that player after it. Arrays: p_player_keys
-- … p_earned_used_maxs have one element per player, by key. p_keys … p_exhausted (array literals) have one element per
-- draw, and the draws of a player are in the order of their numbers. p_empty_before and p_empty_after have one element
-- per prize of the pool, by id: whether it was empty before and after the batch. p_days as in draws_of_day.
create or replace function draw_commit(
  p_rounds_id integer,
  p_rule_version integer,
  p_pool_id integer,
  p_pool_version integer,
  p_player_keys bigint[],
  p_player_versions bigint[],
  p_first_nos integer[],
  p_earned_used_maxs bigint[],
  p_keys text[],
  p_request_ids text[],
  p_body_hashes text[],
  p_trans_sns text[],
  p_drawers bigint[],
  p_draw_nos integer[],
  p_extra_time_ids bigint[],
  p_drawn_prize_ids integer[],
  p_tickets bigint[],
  p_fallback_tickets bigint[],
  p_exhausted text[],
  p_prize_ids integer[],
  p_empty_before boolean[],
  p_empty_after boolean[],
  p_days timestamptz[],
  out log_ids text,
  out created_at timestamptz,
  out is_shared boolean
)
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_sort = off as $$
declare
  round activity%rowtype;
  at timestamptz;
  stamp bigint;
  changed bigint[];
  near bigint[];
  missed bigint[];
  moved jsonb;
  ids bigint[];
  extra record;
  drawn_ids integer[];
  drawn_counts integer[];
begin
  if draws_stopped(p_pool_id) then
    raise exception 'draws stopped' using errcode = 'RP001';
  end if;
  perform hold_round(p_rounds_id, false);
  select * into round from activity a where a.id = p_rounds_id;
  at := date_trunc('milliseconds', clock_timestamp());
  if round.id is null or round.deleted_at is not null or round.version <> p_rule_version
     or round.pool_id <> p_pool_id or round.rounds_status <> 1
     or at < round.start_time or at >= round.end_time + interval '1 second' then
    raise exception 'round changed' using errcode = 'RP001';
  end if;

  -- Skips locked players instead of waiting: batches of two processes nearly always share a player
  -- and would run one after the other. The lock prevents two processes from taking the same number.
  select coalesce(array_agg(k.player_key), '{}') into changed
  from unnest(p_player_keys, p_player_versions) k (player_key, draw_version)
  left join lateral (
    select l.draw_version, l.blocked, l.excluded_until from player l
    where l.player_key = k.player_key limit 1 for no key update skip locked
  ) p on true
  where p.blocked is not false or p.excluded_until > at or p.draw_version <> k.draw_version;
  -- A separate statement sees the records of transactions that had locked a player until now. The caller may know too
  -- few draws, after draws of another process, or too many, if the database lost some (a standby that was behind). The
  -- offset prevents the database from repeating the look-up of the last number at each use.
  select coalesce(array_agg(m.player_key) filter (where not m.fits), '{}'),
    jsonb_object_agg(m.player_key, m.by) filter (where m.fits)
  into missed, moved
  from (
    select k.player_key, l.draw_no - k.first_no + 1 as by,
      l.draw_no >= k.first_no and l.draw_no - (
        select count(*) from extra_time t
        where t.used_rounds_id = p_rounds_id and t.player_key = k.player_key and t.used_log_id is not null
      ) <= k.earned_used_max as fits
    from unnest(p_player_keys, p_first_nos, p_earned_used_maxs) k (player_key, first_no, earned_used_max)
    cross join lateral (select coalesce((
      select r.draw_no from draw_record r
      where r.player_key = k.player_key and r.rounds_id = p_rounds_id
      order by r.draw_no desc limit 1
    ), 0) as draw_no offset 0) l
    where l.draw_no <> k.first_no - 1
  ) m;
  changed := changed || missed;
  if moved is not null then
    -- A join over so many players would compare each player with every other.
    select array_agg(d.draw_no + coalesce((moved -> d.player_key::text)::integer, 0) order by d.ord)
    into p_draw_nos
    from unnest(p_draw_nos, p_drawers) with ordinality d (draw_no, player_key, ord);
  end if;
  -- Without limits this costs two null checks. Both limits count records committed before the locks were taken.
  if round.draws_max is not null then
    changed := changed || array(
      select d.player_key from unnest(p_drawers, p_draw_nos) d (player_key, draw_no)
      where d.draw_no > round.draws_max
    );
  end if;
  if round.day_draws_max is not null then
    -- The draws of today in this round are at most the last number, so most players need no count.
    near := array(
      select s.player_key
      from (
        select d.player_key, max(d.draw_no) as drawn from unnest(p_drawers, p_draw_nos) d (player_key, draw_no) group by 1
        union all
        select t.player_key, t.drawn from draws_of_day(p_player_keys, p_days, at, p_rounds_id) t
      ) s
      group by s.player_key having sum(s.drawn) > round.day_draws_max
    );
    if near <> '{}' then
      changed := changed || array(
        select s.player_key
        from (
          select t.player_key, t.drawn from draws_of_day(near, p_days, at) t
          union all
          select d.player_key, 1 from unnest(p_drawers) d (player_key)
        ) s
        group by s.player_key having sum(s.drawn) > round.day_draws_max
      );
    end if;
  end if;
  if changed <> '{}' and p_empty_before <> p_empty_after then
    -- Later draws of the batch may have been decided without a prize that a skipped draw emptied.
    raise exception 'player changed' using errcode = 'RP001';
  end if;

  stamp := (extract(epoch from at) * 1000)::bigint - 1577836800000;
  select array_agg(case when d.player_key <> all (changed)
    then stamp * 16384 + nextval('draw_slot') end order by d.ord) into ids
  from unnest(p_drawers) with ordinality d (player_key, ord);
  -- In id order, because rounds of one group may need the extra times of the same players at the same time.
  for extra in
    select e.id, e.player_key, e.new_id
    from unnest(p_extra_time_ids, p_drawers, ids) e (id, player_key, new_id)
    where e.id is not null and e.new_id is not null order by e.id
  loop
    update extra_time e set used_log_id = extra.new_id, used_rounds_id = p_rounds_id
    where e.id = extra.id and e.used_log_id is null and e.player_key = extra.player_key
      and at < e.expire_time + interval '1 second';
    if not found then
      raise exception 'extra time changed' using errcode = 'RP001';
    end if;
  end loop;
  with taken as materialized (
    select t.*, z.award_name, z.award_price_cents
    from unnest(ids, p_keys, p_request_ids, p_body_hashes, p_trans_sns, p_drawers, p_draw_nos,
                p_extra_time_ids, p_drawn_prize_ids, p_tickets, p_fallback_tickets, p_exhausted)
      as t (id, key, request_id, body_hash, trans_sn, player_key, draw_no, extra_time_id,
            prize_id, ticket, fallback_ticket, exhausted)
    join prize z on z.id = t.prize_id
    where t.id is not null
  ), records as (
    insert into draw_record (id, rounds_id, player_key, draw_no, prize_id, award_name,
      award_price_cents, turnover, rule_version, pool_id, pool_version, ticket, fallback_ticket,
      exhausted, extra_time_id, created_at)
    select t.id, p_rounds_id, t.player_key, t.draw_no, t.prize_id, t.award_name,
      t.award_price_cents, round.turnover, p_rule_version, p_pool_id, p_pool_version, t.ticket,
      t.fallback_ticket, t.exhausted::integer[], t.extra_time_id, at
    from taken t
  ), requests as (
    insert into draw_request (key, request_id, body_hash, log_id, rounds_id)
    select t.key, t.request_id, decode(t.body_hash, 'hex'), t.id, p_rounds_id from taken t
  )
  insert into payout (log_id, rounds_id, player_key, trans_sn, award_name, amount_cents, turnover,
    red_code, state, next_at, created_at)
  select t.id, p_rounds_id, t.player_key, t.trans_sn, t.award_name, t.award_price_cents,
    round.turnover, round.red_code,
    case when t.award_price_cents = 0 then 'waiting_delivery' else 'queued' end,
    at, at
  from taken t;

  perform 1 from prize z where z.id = any (p_prize_ids) order by z.id for update;
  perform 1 from pool where id = p_pool_id and version = p_pool_version;
  if not found then
    raise exception 'pool changed' using errcode = 'RP001';
  end if;
  select array_agg(d.prize_id), array_agg(d.taken) into drawn_ids, drawn_counts
  from (
    select x.prize_id, count(*)::integer as taken
    from unnest(p_drawn_prize_ids, p_drawers) x (prize_id, player_key)
    where x.player_key <> all (changed)
    group by x.prize_id
  ) d;
  perform 1
  from unnest(p_prize_ids, p_empty_before, p_empty_after) s (prize_id, empty_before, empty_after)
  join prize z on z.id = s.prize_id
  left join unnest(drawn_ids, drawn_counts) d (prize_id, taken) on d.prize_id = z.id
  where z.award_total - z.drawn < coalesce(d.taken, 0)
     or (z.award_total - z.drawn = 0) <> s.empty_before
     or (z.award_total - z.drawn = coalesce(d.taken, 0)) <> s.empty_after;
  if found then
    raise exception 'stock changed' using errcode = 'RP001';
  end if;
  update prize z set drawn = z.drawn + d.taken
  from unnest(drawn_ids, drawn_counts) d (prize_id, taken)
  where z.id = d.prize_id;
  log_ids := array_to_json(ids);
  created_at := at;
  is_shared := moved is not null;
end $$;
