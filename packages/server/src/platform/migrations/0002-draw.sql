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
