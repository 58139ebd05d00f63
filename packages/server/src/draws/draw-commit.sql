-- Commits a batch of draws, decided on what the caller has read. Everything that could have changed since is
-- checked again; a difference raises RP001 and nothing is written: the caller reads and decides again. Lock
-- order: stop switches (share), activity (share), players (share), extra times, prizes, each kind by id, so
-- that hot rows are locked only during the commit. A change of a player's draws locks the player exclusively
-- before anything that a draw waits for: it waits for draws in flight, and no earlier-decided draw of that
-- player commits after it. Arrays with one element per draw: p_keys … p_exhausted (array literals). Per prize
-- of the pool, in id order: p_prize_ids, the count taken (p_taken), and whether it was empty before
-- (p_empty_before) and after (p_empty_after).
create or replace function draw_commit(
  p_rounds_id integer,
  p_rule_version integer,
  p_pool_id integer,
  p_pool_version integer,
  p_keys text[],
  p_request_ids text[],
  p_body_hashes bytea[],
  p_trans_sns text[],
  p_player_keys bigint[],
  p_player_versions bigint[],
  p_draw_nos integer[],
  p_extra_time_ids bigint[],
  p_drawn_prize_ids integer[],
  p_tickets bigint[],
  p_fallback_tickets bigint[],
  p_exhausted text[],
  p_prize_ids integer[],
  p_taken integer[],
  p_empty_before boolean[],
  p_empty_after boolean[]
) returns table (ord bigint, log_id bigint, created_at timestamptz)
language plpgsql as $$
declare
  round activity%rowtype;
  at timestamptz;
  stamp bigint;
  n integer;
begin
  if draws_stopped(p_pool_id) then
    raise exception 'draws stopped' using errcode = 'RP001';
  end if;
  select * into round from activity a where a.id = p_rounds_id for share;
  at := date_trunc('milliseconds', clock_timestamp());
  if round.id is null or round.deleted_at is not null or round.version <> p_rule_version
     or round.pool_id <> p_pool_id or round.rounds_status <> 1
     or at < round.start_time or at >= round.end_time + interval '1 second' then
    raise exception 'round changed' using errcode = 'RP001';
  end if;

  -- In key order, as every change of players. Compare after the lock, to see changes that were waited for.
  perform 1 from player p where p.player_key = any (p_player_keys) order by p.player_key for share;
  perform 1
  from (select distinct k.player_key, k.version
        from unnest(p_player_keys, p_player_versions) k (player_key, version)) known
  left join player p
    on p.player_key = known.player_key and p.version = known.version and not p.blocked
  where p.player_key is null;
  if found then
    raise exception 'player changed' using errcode = 'RP001';
  end if;

  -- In id order: rounds of one group may need the same players' extra times at once.
  perform 1 from extra_time e where e.id = any (p_extra_time_ids) order by e.id for update;
  stamp := (extract(epoch from at) * 1000)::bigint - 1577836800000;
  return query
  with taken as materialized (
    select t.*, stamp * 16384 + nextval('draw_slot') as new_id
    from unnest(p_keys, p_request_ids, p_body_hashes, p_trans_sns, p_player_keys, p_draw_nos,
                p_extra_time_ids, p_drawn_prize_ids, p_tickets, p_fallback_tickets, p_exhausted)
      with ordinality as t (key, request_id, body_hash, trans_sn, player_key, draw_no,
                            extra_time_id, prize_id, ticket, fallback_ticket, exhausted, ord)
  ), records as (
    insert into draw_record (id, rounds_id, player_key, draw_no, prize_id, award_name,
      award_price_cents, turnover, rule_version, pool_id, pool_version, ticket, fallback_ticket,
      exhausted, extra_time_id, created_at)
    select t.new_id, p_rounds_id, t.player_key, t.draw_no, t.prize_id, z.award_name,
      z.award_price_cents, round.turnover, p_rule_version, p_pool_id, p_pool_version, t.ticket,
      t.fallback_ticket, t.exhausted::integer[], t.extra_time_id, at
    from taken t join prize z on z.id = t.prize_id
  ), requests as (
    insert into draw_request (key, request_id, body_hash, log_id, rounds_id)
    select t.key, t.request_id, t.body_hash, t.new_id, p_rounds_id from taken t
  ), payouts as (
    insert into payout (log_id, rounds_id, player_key, trans_sn, amount_cents, turnover, red_code,
      state, next_at, created_at)
    select t.new_id, p_rounds_id, t.player_key, t.trans_sn, z.award_price_cents, round.turnover,
      round.red_code, case when z.award_price_cents = 0 then 'waiting_delivery' else 'queued' end,
      at, at
    from taken t join prize z on z.id = t.prize_id
  ), extras as (
    update extra_time e set used_log_id = t.new_id, used_rounds_id = p_rounds_id
    from taken t
    where e.id = t.extra_time_id and e.used_log_id is null and e.player_key = t.player_key
      and at < e.expire_time + interval '1 second'
    returning e.id
  )
  select t.ord, t.new_id, at from taken t
  where (select count(*) from extras)
        = (select count(*) from taken x where x.extra_time_id is not null)
  order by t.ord;
  get diagnostics n = row_count;
  if n <> cardinality(p_keys) then
    raise exception 'extra time changed' using errcode = 'RP001';
  end if;

  perform 1 from prize z where z.id = any (p_prize_ids) order by z.id for update;
  perform 1 from pool where id = p_pool_id and version = p_pool_version;
  if not found then
    raise exception 'pool changed' using errcode = 'RP001';
  end if;
  perform 1
  from unnest(p_prize_ids, p_taken, p_empty_before, p_empty_after)
    as s (prize_id, taken, empty_before, empty_after)
  join prize z on z.id = s.prize_id
  where z.award_total - z.drawn < s.taken
     or (z.award_total - z.drawn = 0) <> s.empty_before
     or (z.award_total - z.drawn = s.taken) <> s.empty_after;
  if found then
    raise exception 'stock changed' using errcode = 'RP001';
  end if;
  update prize z set drawn = z.drawn + s.taken
  from unnest(p_prize_ids, p_taken) as s (prize_id, taken)
  where z.id = s.prize_id and s.taken > 0;
  perform pg_notify('payout', '');
end $$;
