-- Draws and payouts. A draw commits record, request, payout row and stock in one transaction.

create sequence draw_slot cycle minvalue 0 maxvalue 16383;

-- Ids code created_at as those of deposits do. Partitioned by blocks of rounds.
create table draw_record (
  id bigint not null,
  rounds_id integer not null,
  player_key bigint not null,
  -- 1 … granted: this key is at once the chance limit, the look-up and the fence between processes.
  draw_no integer not null,
  prize_id integer not null,
  award_name text not null,
  award_price_cents bigint not null,
  turnover smallint not null,
  rule_version integer not null,
  pool_id integer not null,
  pool_version integer not null,
  ticket bigint not null,
  fallback_ticket bigint,
  exhausted integer[] not null,
  extra_time_id bigint,
  created_at timestamptz not null,
  primary key (id, rounds_id),
  constraint draw_record__draw_no_unique unique (player_key, rounds_id, draw_no),
  constraint draw_record__extra_time_unique unique (extra_time_id, rounds_id),
  constraint draw_record__draw_no_positive check (draw_no > 0)
) partition by range (rounds_id);
create index draw_record__round on draw_record (rounds_id, id);

create table draw_request (
  key text not null,
  request_id text not null,
  body_hash bytea not null,
  log_id bigint not null,
  rounds_id integer not null,
  primary key (key, request_id)
);

create table payout (
  log_id bigint primary key,
  rounds_id integer not null,
  player_key bigint not null,
  -- The wallet's idempotency key: made once, in the draw's transaction, never again.
  trans_sn text not null,
  amount_cents bigint not null,
  turnover smallint not null,
  red_code text not null,
  state text not null,
  attempts integer not null default 0,
  -- When the worker looks at it next.
  next_at timestamptz not null default now(),
  -- Who holds it, until when: a claim by another raises the fence, a late answer is then ignored.
  lease_until timestamptz,
  fence bigint not null default 0,
  -- Since when nobody knows whether it was paid, how often that was asked, and the first "never seen".
  unknown_since timestamptz,
  asked integer not null default 0,
  never_seen_at timestamptz,
  fail_reason text,
  wallet_ref text,
  paid_at timestamptz,
  note text,
  created_at timestamptz not null,
  updated_at timestamptz not null default now(),
  constraint payout__trans_sn_unique unique (trans_sn),
  constraint payout__state check (
    state in ('queued', 'sending', 'unknown', 'check', 'waiting_delivery', 'paid', 'delivered',
              'refused', 'closed')
  ),
  constraint payout__amount_range check (amount_cents >= 0),
  constraint payout__physical check (
    (amount_cents = 0) = (state in ('waiting_delivery', 'delivered'))
  ),
  constraint payout__paid_whole check ((paid_at is not null) = (state in ('paid', 'delivered'))),
  constraint payout__lease_whole check ((lease_until is not null) = (state = 'sending')),
  constraint payout__refused_why check (state not in ('refused', 'closed') or fail_reason is not null)
) with (fillfactor = 85);
create index payout__due on payout (next_at) where state in ('queued', 'unknown');
create index payout__leased on payout (lease_until) where state = 'sending';
create index payout__open on payout (rounds_id, state, log_id)
  where state not in ('paid', 'delivered');

-- Every attempt is kept: when, by whom, request, answer, duration.
create table payout_attempt (
  log_id bigint not null references payout (log_id),
  no integer not null,
  kind text not null,
  operator text,
  started_at timestamptz not null default clock_timestamp(),
  duration_ms integer,
  outcome text not null default 'started',
  http_status integer,
  request text,
  answer text,
  primary key (log_id, no),
  constraint payout_attempt__kind check (kind in ('pay', 'query', 'callback'))
);

create function ensure_draw_partition(p_rounds_id integer) returns void
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
  -- Asked of the table itself: to_regclass may answer from before the wait.
  if exists (select from pg_class where relname = part and relnamespace = 'public'::regnamespace) then
    return;
  end if;
  execute format('create table %I (like draw_record including defaults including constraints) with (fillfactor = 95)', part);
  execute format('alter table draw_record attach partition %I for values from (%s) to (%s)',
                 part, low, low + block);
end $$;

-- Commits a batch of draws that were decided on what the caller had read. Everything that could have
-- changed since is checked again here; any difference raises RP001 and nothing is
-- written: the caller reads anew and decides again. Locks: activity (share) first, then extra times
-- and at last prizes, each in id order, so that hot rows are held across the commit only.
--
-- Arrays of one element per draw: p_keys … p_exhausted (array literals). Per prize of the pool, in id
-- order: p_prize_ids, how many of it the batch takes (p_taken), whether it was taken for empty before
-- (p_empty_before) and after (p_empty_after).
create function draw_commit(
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
  select * into round from activity a where a.id = p_rounds_id for share;
  at := date_trunc('milliseconds', clock_timestamp());
  if round.id is null or round.deleted_at is not null or round.version <> p_rule_version
     or round.pool_id <> p_pool_id or round.rounds_status <> 1
     or at < round.start_time or at >= round.end_time + interval '1 second' then
    raise exception 'round changed' using errcode = 'RP001';
  end if;

  perform 1
  from (select distinct k.player_key, k.version
        from unnest(p_player_keys, p_player_versions) k (player_key, version)) known
  left join player p
    on p.player_key = known.player_key and p.version = known.version and not p.blocked
  where p.player_key is null;
  if found then
    raise exception 'player changed' using errcode = 'RP001';
  end if;

  -- In id order: rounds of one group may want the same players' extra times at the same moment.
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
