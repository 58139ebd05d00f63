-- The whole schema of release 0.2, as its last migration left it; migrate.ts says which databases need it.
-- Tables stand in the order of the rooms, each with its constraints and indexes; functions and triggers come last.
-- Money is bigint cents, times are instants. Every rule that matters is a named constraint; platform/db/constraints.ts maps
-- the names that a caller can run into to error keys.

-- Platform

-- Facts about this database itself: is it a demonstration, which key encrypts it.
create table installation (
  name text primary key,
  value text not null
);

-- What operators change while the installation runs; without a row the default holds.
create table setting (
  key text primary key,
  value text not null,
  changed_by text not null,
  changed_at timestamptz not null default now(),
  constraint setting__value check (case
    when key in ('guard_sum', 'band_reason', 'band_second') then value ~ '^(off|(0|[1-9][0-9]{0,9})[.][0-9]{2})$'
    when key = 'goods_value' then value ~ '^(0|[1-9][0-9]{0,9})[.][0-9]{2}$'
    else key = 'guard_programs' and value in ('on', 'off') end)
);

-- The audit log: a list as the others, whose ids code `at` as those of deposits code created_at.
create sequence audit_slot as integer minvalue 0 maxvalue 16383 cycle;

create table audit_log (
  id bigint primary key,
  at timestamptz not null default clock_timestamp(),
  -- Operator, platform key or "redctl": who did it, by name and kind.
  actor_kind text not null,
  actor text not null,
  action text not null,
  object_type text not null,
  object_id text,
  outcome text not null default 'done',
  before jsonb,
  after jsonb,
  request_id text,
  address text,
  reason text,
  -- What may name a player is sealed as a commitment (docs/security.md). When a player is erased it stays, and the
  -- salt that leads to it goes.
  salt uuid default gen_random_uuid(),
  commitment bytea,
  -- The row holds references to players instead of their names: erasing rewrites none of these, and their seal allows
  -- no change. Rows of releases before say `false`, and keep their seal.
  by_key boolean not null default false,
  constraint audit_log__actor_kind check (actor_kind in ('operator', 'key', 'redctl', 'system')),
  constraint audit_log__outcome check (outcome in ('done', 'refused')),
  constraint audit_log__commitment check ((salt is null) = (commitment is not null) and octet_length(commitment) = 32)
);
create index audit_log__object on audit_log (object_type, object_id, id);
create index audit_log__request on audit_log (request_id) where request_id is not null;
-- Sign-ins of an account and its wrong codes from new addresses, sought at each attempt, among any number of guesses.
create index audit_log__sign_ins on audit_log (object_id, id)
  where object_type = 'operator' and (outcome = 'done' or after ->> 'new_address' = 'true');

-- The other objects of a row: prizes of a pool, records of a batch, players by their key.
create table audit_about (
  object_type text collate "C" not null,
  object_id text collate "C" not null,
  audit_id bigint not null references audit_log (id) on update cascade on delete cascade,
  primary key (object_type, object_id, audit_id)
);
create index audit_about__audit on audit_about (audit_id);

-- Exact totals and any page of a list in milliseconds: its rows counted per minute, hour and day, and codes.
-- Statements write deltas, a job folds them (platform/rollups/rollup-fold.sql), readers add both in one snapshot.
create table rollup (
  -- The table of the list.
  list text collate "C" not null,
  -- In minutes: 1, 60 or 1440.
  width integer not null,
  -- The first minute since 2020-01-01 UTC.
  start bigint not null,
  -- The codes of the list's filters (platform/rollups/rollup-rows.sql); 0 when it has fewer.
  a bigint not null,
  b bigint not null,
  n bigint not null,
  -- Of the rows that the list's total adds up.
  cents bigint not null,
  -- A filter by codes reads their buckets alone.
  primary key (list, width, a, b, start)
  -- Room for updates in place: the fold changes the newest rows every second.
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
-- The minutes of one round, for its highest pace.
create index rollup__round on rollup (b, start) where list = 'draw_record' and width = 1 and a = 1;

create table rollup_delta (
  list text collate "C" not null,
  minute bigint not null,
  a bigint not null,
  b bigint not null,
  n bigint not null,
  cents bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0);
create index rollup_delta__minute on rollup_delta (list, minute);

-- Identity

create table operator (
  id bigint generated always as identity primary key,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  password_hash text not null,
  -- Some of six (packages/contract/src/platform/permissions.ts).
  roles text[] not null default '{admin}',
  -- Seed of the authenticator, encrypted; null until a first valid code has bound it.
  totp_secret bytea,
  -- The seed shown with code 407, waiting to be bound until bind_until.
  totp_pending bytea,
  bind_until timestamptz not null,
  -- Last time step whose code was used: each code works once.
  totp_step bigint,
  disabled boolean not null default false,
  created_at timestamptz not null default now(),
  constraint operator__name_unique unique (name_key),
  constraint operator__roles check (
    roles <@ '{admin,operations,support,finance,risk,viewer}' and array_position(roles, null) is null
  )
);

-- Each replaces one code of the authenticator at a sign-in, once. SHA-256 of the code: it has 54 bits of chance.
create table recovery_code (
  operator_id bigint not null references operator (id),
  code_hash bytea not null,
  used_at timestamptz,
  primary key (operator_id, code_hash)
);

create table login_failure (
  name_key text not null,
  address text not null,
  failed_at timestamptz not null default now()
);
create index login_failure__recent on login_failure (name_key, address, failed_at);

create table session (
  -- SHA-256 of the access token: a stolen table opens nothing.
  token_hash bytea primary key,
  operator_id bigint not null references operator (id),
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  ended_at timestamptz,
  ended_by text,
  -- Names it on a screen.
  id bigint generated always as identity,
  -- From which it was opened.
  address text,
  constraint session__id_unique unique (id),
  constraint session__end_whole check ((ended_at is null) = (ended_by is null)),
  constraint session__ended_by check (ended_by in ('logout', 'other', 'expiry'))
);
create index session__operator on session (operator_id) where ended_at is null;

-- What a download's address carries instead of a token: one use, one minute, one path with its filters.
create table ticket (
  ticket_hash bytea primary key,
  -- The session that asked for it; with its end the ticket ends too.
  token_hash bytea not null references session (token_hash),
  -- SHA-256 of path and sorted filters.
  target_hash bytea not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index ticket__expiry on ticket (expires_at);

create table api_key (
  key text primary key,
  name text not null,
  secret bytea not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  -- Time of the last call with `secret`, beside which a second one may be in use.
  used_at timestamptz,
  next_secret bytea,
  rotated_at timestamptz,
  constraint api_key__scopes check (scopes <@ '{ingest,draw,read,wallet}' and scopes <> '{}'),
  constraint api_key__next_whole check ((next_secret is null) = (rotated_at is null))
);

-- Nonces of calls that must not come back to another process or after a restart (identity/key-auth.ts).
create table nonce (
  -- A hash of the key and its nonce.
  nonce_hash bytea primary key,
  at timestamptz not null default now()
);

-- Approvals

-- Changes that wait for a second person (behaviour §16).
create table approval (
  id bigint generated always as identity primary key,
  -- Method and path of the call, and what came with it but for the one-time code.
  call text not null,
  input jsonb not null,
  file bytea,
  maker_id bigint references operator (id),
  made_by text not null,
  made_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  reason text not null check (reason <> ''),
  risk_cents bigint not null check (risk_cents >= 0),
  plan jsonb not null,
  state text not null default 'waiting'
    check (state in ('waiting', 'done', 'refused', 'withdrawn', 'differs')),
  decided_by text,
  decider_id bigint references operator (id),
  decided_at timestamptz,
  note text,
  constraint approval__whole check ((state = 'waiting') = (decided_at is null)),
  -- Nobody approves their own change.
  constraint approval__not_own check (state <> 'done' or (decider_id is not null and decider_id is distinct from maker_id))
);
create index approval__waiting on approval (expires_at) where state = 'waiting';
create index approval__maker on approval (maker_id, decided_at);

-- What changes of the last 24 hours may cost, and which proof each had (behaviour §16).
create table risked (
  id bigint generated always as identity primary key,
  -- Null: redctl. No foreign key: its check waits for an account that a code has locked, whose change may wait for this one.
  operator_id bigint,
  at timestamptz not null default clock_timestamp(),
  cents bigint not null,
  -- What of it the code's sum counts.
  code_cents bigint not null check (code_cents between 0 and cents),
  coded boolean not null,
  reasoned boolean not null,
  approved boolean not null,
  -- An approval stands for all proofs.
  constraint risked__approved check (not approved or (coded and reasoned)),
  constraint risked__says check (cents > 0 or coded or reasoned)
);
create index risked__person on risked (operator_id, at);

-- Rounds, their pools and the stop switches

create table activity_tag (
  tag text primary key,
  label text not null
);
insert into activity_tag (tag, label) values ('weekend', '周末红包'), ('dragon', '端午红包');

-- Preset in-site message codes: what the activity form offers for `red_code`, which stays free text.
create table message_code (
  red_code text not null constraint message_code__code_unique primary key,
  label text not null
);

create table pool (
  id integer generated always as identity primary key,
  pool_name text not null,
  -- Raised by every change of its prizes; a record names the version that it was drawn from.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index pool__name_unique on pool (pool_name) where deleted_at is null;

create table pool_version (
  pool_id integer not null references pool (id),
  version integer not null,
  -- [{id, award_name, award_price_cents, weight, award_total, floors}] in id order.
  prizes jsonb not null,
  created_at timestamptz not null default now(),
  -- Null before this was kept.
  saved_by text,
  primary key (pool_id, version)
);

create table prize (
  id integer generated always as identity primary key,
  pool_id integer not null references pool (id),
  award_name text not null,
  award_price_cents bigint not null,
  weight bigint not null,
  award_total integer not null,
  drawn integer not null default 0,
  floors boolean not null,
  deleted_at timestamptz,
  -- Raised by every change of what an operator configures, never by a draw: a form that was opened before
  -- somebody added stock must not put the old total back.
  version integer not null default 1,
  constraint prize__price_range check (award_price_cents between 0 and 999999999999),
  constraint prize__weight_range check (weight between 0 and 1000000000),
  constraint prize__stock check (drawn between 0 and award_total)
) with (fillfactor = 20);
create unique index prize__name_unique on prize (pool_id, award_name) where deleted_at is null;

create table activity (
  -- = act_id = rounds_id: one activity, one number.
  id integer generated always as identity primary key,
  rounds_name text not null,
  tag text not null constraint activity__tag_known references activity_tag (tag),
  red_code text not null,
  pool_id integer not null references pool (id),
  condition_name text not null,
  condition_formula text not null,
  condition_type text not null,
  condition_value_cents bigint not null,
  condition_times smallint not null,
  turnover smallint not null,
  achieve_start_time timestamptz not null,
  achieve_end_time timestamptz not null,
  start_time timestamptz not null,
  end_time timestamptz not null,
  -- Business day of start_time, by the zone in force at the save.
  start_date date not null,
  rounds_status smallint not null default 1,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- Draws of a player in this round, and on a business day over all rounds; null: no limit.
  draws_max integer constraint activity__draws_max check (draws_max between 1 and 1000000),
  day_draws_max integer constraint activity__day_draws_max check (day_draws_max between 1 and 1000000),
  -- The platforms whose bets count; null: all.
  platforms smallint[] constraint activity__platforms check (
    platforms is null or condition_name = '1' and cardinality(platforms) > 0
      and platforms <@ '{1234,2234,3234,5234,6234,7234}'
  ),
  constraint activity__condition check (
    case
      when condition_name in ('1', '2')
        then condition_formula in ('1', '3') and condition_type in ('1', '2')
          and condition_value_cents > 0
      else condition_name in ('0', '3') and condition_formula = '0' and condition_type = '0'
        and condition_value_cents = 0
    end
  ),
  constraint activity__times_range check (condition_times between 1 and 5),
  constraint activity__turnover_range check (turnover between 1 and 10),
  constraint activity__achieve_order check (achieve_start_time <= achieve_end_time),
  constraint activity__order check (start_time <= end_time),
  constraint activity__status check (rounds_status in (0, 1))
);
create unique index activity__name_unique on activity (start_date, rounds_name)
  where deleted_at is null;
create index activity__start on activity (start_time desc, id desc) where deleted_at is null;
create index activity__pool on activity (pool_id) where deleted_at is null;
-- Which rounds can have draws of a day: those that run on it, and by activity_rule__created those that an edit may have
-- moved since.
create index activity__end on activity (end_time);

-- The rule as it was at each save; a record names the version that it was drawn under.
create table activity_rule (
  rounds_id integer not null references activity (id),
  version integer not null,
  rule jsonb not null,
  -- Written after a wait for a lock: it was not there while the transaction waited.
  created_at timestamptz not null default clock_timestamp(),
  primary key (rounds_id, version)
);
create index activity_rule__created on activity_rule (created_at);

-- What has a row here is stopped. Only that: who stopped and started what, and when, is in the audit log.
create table stop_switch (
  name text not null,
  -- Not a foreign key: stopping a pool must not wait for an import that holds it.
  pool_id integer,
  stopped_at timestamptz not null default clock_timestamp(),
  stopped_by text not null,
  reason text,
  constraint stop_switch__once unique nulls not distinct (name, pool_id),
  constraint stop_switch__name check (name in ('draws', 'payouts', 'pool')),
  constraint stop_switch__pool_whole check ((name = 'pool') = (pool_id is not null))
);

-- Players, their deposits and bets, and what else they earn draws with

create table player (
  player_key bigint generated always as identity primary key,
  player_id text not null,
  user_name text not null,
  user_name_key text not null generated always as (lower(user_name)) stored,
  blocked boolean not null default false,
  -- Raised by everything that may change what the player can draw; checked again by every draw.
  version bigint not null default 1,
  created_at timestamptz not null default now(),
  -- Null for those blocked before this was written down.
  blocked_at timestamptz,
  -- Raised as `version` is, but not by rows that can only add to the player's chances: a draw on a chance that was there
  -- before them stands (docs/decisions/0020-path-of-a-draw.md).
  draw_version bigint not null default 0,
  -- The latest end of the exclusions that are not lifted, which the acts on them keep; draws read nothing else.
  excluded_until timestamptz,
  -- When id, account and salt were erased on request (behaviour §3): the row stays, under a name without meaning.
  erased_at timestamptz,
  name_no integer not null default 1,
  constraint player__id_unique unique (player_id),
  constraint player__name_unique unique (user_name_key),
  constraint player__blocked_since check (blocked or blocked_at is null),
  constraint player__erased_blocked check (erased_at is null or blocked)
  -- Every deposit, bet and block raises a version, in place where its page has room.
) with (fillfactor = 80);
-- Accounts by their first letters, whatever the database's collation.
create index player__name_prefix on player (user_name_key text_pattern_ops);
create index player__erased on player (player_key) where erased_at is not null;

-- What players were called before (behaviour §3). Stored texts name a player by a reference (platform/player-names.ts);
-- the name of now stands in `player`, former ones here. Erasing a player empties both, and no text is rewritten.
create table former_name (
  player_key bigint not null references player (player_key),
  -- The player's first name is 1.
  no integer not null,
  user_name text not null,
  user_name_key text not null generated always as (lower(user_name)) stored,
  from_at timestamptz not null,
  to_at timestamptz not null default clock_timestamp(),
  primary key (player_key, no)
);
create index former_name__name on former_name (user_name_key);

-- Ids of deposits and bets code their created_at, so that one index serves time and order:
-- (milliseconds since 2020-01-01 UTC) * 2^14 + a slot. Below 2^53 until 2037.
create sequence event_slot cycle minvalue 0 maxvalue 16383;

-- Month partitions: events/ensure-month.sql.
create table deposit (
  id bigint not null,
  order_no text not null,
  player_key bigint not null references player (player_key),
  amount_cents bigint not null,
  channel smallint not null,
  client smallint not null,
  created_at timestamptz not null,
  -- The database's time of writing.
  reversed_at timestamptz,
  reversal_reason text,
  -- When it reached us; null before this was kept.
  received_at timestamptz,
  primary key (order_no, created_at),
  constraint deposit__id_unique unique (id, created_at),
  constraint deposit__amount_range check (amount_cents between 1 and 999999999999),
  constraint deposit__channel check (channel between 1 and 9),
  constraint deposit__client check (client between 1 and 3)
) partition by range (created_at);
create index deposit__player on deposit (player_key, created_at) include (amount_cents, reversed_at);

create table bet (
  id bigint not null,
  bet_no text not null,
  player_key bigint not null references player (player_key),
  valid_bet_cents bigint not null,
  platform smallint not null,
  created_at timestamptz not null,
  -- As those of a deposit.
  voided_at timestamptz,
  void_reason text,
  received_at timestamptz,
  primary key (bet_no, created_at),
  constraint bet__id_unique unique (id, created_at),
  constraint bet__amount_range check (valid_bet_cents between 1 and 999999999999),
  constraint bet__platform check (platform in (1234, 2234, 3234, 5234, 6234, 7234))
) partition by range (created_at);
-- "Only players with a bet on this platform" looks a player's bets up in this index, and in it alone.
create index bet__player on bet (player_key, created_at)
  include (valid_bet_cents, voided_at, platform);

-- Months of deposits and bets that were taken out of the tables (events/detach-month.ts).
create table detached_month (
  kind text not null constraint detached_month__kind check (kind in ('deposit', 'bet')),
  month date not null constraint detached_month__first_day check (extract(day from month) = 1),
  detached_at timestamptz not null default clock_timestamp(),
  primary key (kind, month)
);

-- Sums over stretches of one player's deposits or bets, only for players with very many (events/event-chunk-sql.ts).
create table event_chunk (
  kind text not null,
  player_key bigint not null references player,
  -- Fulls are counted for this amount; 1 where none is asked for.
  value_cents bigint not null,
  -- Rows with from_at <= created_at < to_at; the first stretch begins at -infinity.
  from_at timestamptz not null,
  to_at timestamptz not null,
  live bigint not null,
  live_cents bigint not null,
  max_cents bigint not null,
  fulls bigint not null,
  gone bigint not null,
  gone_cents bigint not null,
  -- Of the bets on these only; empty: on all.
  platforms smallint[] not null default '{}',
  primary key (kind, player_key, value_cents, platforms, from_at),
  constraint event_chunk__kind check (kind in ('deposit', 'bet')),
  constraint event_chunk__value_range check (value_cents >= 1),
  constraint event_chunk__times check (from_at < to_at)
);

-- Players who may not draw until a time, or without end. Several may be in force at once; lifting one leaves the others.
create table exclusion (
  id bigint generated always as identity primary key,
  player_key bigint not null references player (player_key),
  kind text not null,
  reason text not null,
  source text not null,
  until timestamptz,
  made_by text not null,
  made_at timestamptz not null default clock_timestamp(),
  lifted_by text,
  lifted_at timestamptz,
  lift_reason text,
  constraint exclusion__kind check (kind in ('self', 'cooling_off', 'risk', 'staff')),
  constraint exclusion__source check (source in ('operator', 'file')),
  constraint exclusion__reason check (reason <> '' and lift_reason <> ''),
  constraint exclusion__until check (until > '2020-01-01' and until < 'infinity'),
  constraint exclusion__lift_whole check (num_nulls(lifted_by, lifted_at, lift_reason) in (0, 3))
);
create index exclusion__player on exclusion (player_key, id);

-- Extra times of one grant to many have its number.
create sequence extra_time_batch as bigint;

-- One row = one extra draw of one player in one activity group.
create table extra_time (
  id bigint generated always as identity primary key,
  player_key bigint not null references player (player_key),
  tag text not null references activity_tag (tag),
  expire_time timestamptz not null,
  granted_by text not null,
  -- Written after a wait for a lock: it was not there while the transaction waited.
  created_at timestamptz not null default statement_timestamp(),
  used_log_id bigint,
  used_rounds_id integer,
  batch_id bigint,
  constraint extra_time__use_whole check ((used_log_id is null) = (used_rounds_id is null))
);
create index extra_time__unused on extra_time (player_key, tag, expire_time)
  where used_log_id is null;
create index extra_time__used on extra_time (used_rounds_id, player_key)
  where used_log_id is not null;
create index extra_time__player on extra_time (player_key, id);
create index extra_time__batch on extra_time (batch_id, id) where batch_id is not null;

-- Unused extra times that were taken back: everything that counts extra times reads the other table.
create table extra_time_taken_back (
  id bigint primary key,
  player_key bigint not null references player (player_key),
  tag text not null,
  expire_time timestamptz not null,
  granted_by text not null,
  created_at timestamptz not null,
  batch_id bigint,
  taken_back_at timestamptz not null,
  taken_back_by text not null,
  reason text not null,
  constraint extra_time_taken_back__reason check (reason <> '')
);
create index extra_time_taken_back__player on extra_time_taken_back (player_key, id);
-- The list of a batch shows what was taken back of it.
create index extra_time_taken_back__batch on extra_time_taken_back (batch_id, id) where batch_id is not null;

-- Draws: each commits record, request, payout row and stock in one transaction

create sequence draw_slot cycle minvalue 0 maxvalue 16383;

-- Ids code created_at as those of deposits do. Partitioned by blocks of rounds: draws/ensure-draw-partition.sql.
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
  constraint draw_record__draw_no_positive check (draw_no > 0)
) partition by range (rounds_id);
create index draw_record__round on draw_record (rounds_id, id);
-- Most draws use no extra time; a partial index holds only those that do.
create unique index draw_record__extra_time_unique on draw_record (extra_time_id, rounds_id)
  where extra_time_id is not null;

create table draw_request (
  key text not null,
  request_id text not null,
  body_hash bytea not null,
  log_id bigint not null,
  rounds_id integer not null,
  primary key (key, request_id)
);
-- The requests of a player's last draws are read by the number of the record.
create index draw_request__log on draw_request (log_id);

-- Payouts

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
  -- The operator who had a refused payout queued again; written on the attempt that follows.
  requested_by text,
  -- How often it was sent again because the wallet had never seen it: each time waits longer.
  resent integer not null default 0,
  -- When it was sent for the first time. Longer ago than the wallet remembers, it is not sent again.
  first_sent_at timestamptz,
  -- Why somebody has to look at it; kept when it is closed without the wallet's word.
  check_reason text,
  -- What it was when something put that in doubt, with its reasons kept. The wallet is asked: unless it
  -- has paid, that is what the payout is again. Never queued, so never sent, before somebody re-issues it.
  contested_state text,
  -- The check_reason that it had then: meanwhile it may wait for people for another one.
  contested_check_reason text,
  -- The prize's, so that lists of open payouts by a part of it read no record: all physical prizes have one price, and
  -- wait for weeks. Null only where it was done before this was kept.
  award_name text,
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
  constraint payout__refused_why check (
    case coalesce(contested_state, state)
      when 'refused' then fail_reason is not null
      when 'closed' then fail_reason is not null or check_reason is not null
      else true
    end
  ),
  constraint payout__check_why check (
    case
      when check_reason is null then state <> 'check'
      else check_reason in ('unanswered', 'past_retention')
        and (state in ('check', 'closed') or contested_state = 'closed')
    end
  ),
  constraint payout__contested check (
    contested_state in ('refused', 'closed') and state in ('sending', 'unknown', 'check')
    or contested_state is null and contested_check_reason is null
  )
) with (fillfactor = 85);
-- What waits for the wallet is counted from the index alone while the wallet is down.
create index payout__due on payout (next_at) include (amount_cents) where state in ('queued', 'unknown');
-- While payouts are stopped only these are claimed, past however many that are queued.
create index payout__asked on payout (next_at) where state = 'unknown';
create index payout__leased on payout (lease_until) where state = 'sending';
-- Sums of open payouts come from the index alone.
create index payout__open on payout (rounds_id, state, log_id) include (amount_cents, award_name)
  where state not in ('paid', 'delivered');
-- Payouts by when they were paid: they follow each other nearly in that order in the table.
create index payout__paid_at on payout using brin (paid_at);

-- Every attempt is kept: when, by whom, request, answer, duration. The wallet's statement is a word of the wallet too.
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
  constraint payout_attempt__kind check (kind in ('pay', 'query', 'callback', 'statement'))
  -- Written before its call and finished after it: with room on its page no index is written again.
) with (fillfactor = 50);

-- How the wallet is, as all processes see it: what one has heard holds back the others too.
-- One row per wallet and kind of call (pay, query): sending and asking fail apart.
create table wallet_health (
  wallet text not null,
  kind text not null,
  -- Answers in a row that held no word, since when, and what the last one was.
  troubles integer not null default 0,
  trouble_since timestamptz,
  last_answer text,
  -- While it is in trouble one call at a time tries: when the next may, and how many have failed.
  next_try_at timestamptz,
  tries integer not null default 0,
  -- The wallet wishes not to be called until then (Retry-After).
  paused_until timestamptz,
  -- When a worker was last started with it: the latest is the wallet that people are told of.
  used_at timestamptz not null default clock_timestamp(),
  primary key (wallet, kind),
  constraint wallet_health__kind check (kind in ('pay', 'query')),
  constraint wallet_health__trouble_whole check ((trouble_since is not null) = (troubles > 0))
);

-- When the next call would be due if calls came evenly, in milliseconds since 1970: an instant would
-- round them away. Only written while the number of calls is limited.
create table wallet_pace (
  wallet text primary key,
  slot_ms double precision not null
);

-- Records: their list, jobs and views

-- The prizes of each round as drawn, so that a part of a name and a price become codes of the rollup. A prize that is
-- renamed or gets another price has a row for each.
create table drawn_prize (
  id integer generated always as identity primary key,
  rounds_id integer not null,
  award_name text not null,
  award_price_cents bigint not null,
  constraint drawn_prize__once unique (rounds_id, award_name, award_price_cents)
);

-- What an operator started and what became of it (behaviour §6).
create table job (
  id bigint generated always as identity primary key,
  operator_id bigint not null references operator (id),
  kind text not null,
  started_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  seen_at timestamptz,
  -- Of an export: its address and query, what is written of it, and the key of the error that ended it.
  path text,
  query jsonb,
  rows bigint not null default 0,
  lease_until timestamptz,
  file_name text,
  fault text,
  constraint job__kind check (kind in ('reissue', 'ask', 'export')),
  constraint job__export_whole check ((kind = 'export') = (path is not null) and (path is null) = (query is null)),
  constraint job__seen_ended check (seen_at is null or ended_at is not null),
  constraint job__fault_ended check (fault is null or kind = 'export' and ended_at is not null)
);
create index job__operator on job (operator_id, id);

-- While no outcome is noted, it is what the payout's state says: a crash loses nothing, and settling writes nothing here.
create table job_row (
  job_id bigint not null references job (id) on delete cascade,
  log_id bigint not null references payout (log_id),
  outcome text,
  -- The wallet's, when it refused.
  reason text,
  primary key (job_id, log_id),
  constraint job_row__outcome check (outcome in ('paid', 'refused', 'check', 'closed'))
);
create index job_row__open on job_row (log_id, job_id) where outcome is null;

-- Filters of a list that an operator has named.
create table saved_view (
  id bigint generated always as identity primary key,
  operator_id bigint not null references operator,
  page text not null,
  view_name text not null,
  -- The filters as in the address.
  search text not null,
  constraint saved_view__name_unique unique (operator_id, page, view_name)
);

-- Finance (behaviour §6)

-- A reading of what the wallet says it has paid, written as a whole once its statement was read
-- (docs/decisions/0011-one-reconciliation.md).
create table reconciliation (
  id integer generated always as identity primary key,
  -- What the statement covers: from_at ≤ paid_at < to_at, by the wallet's clock.
  from_at timestamptz not null,
  to_at timestamptz not null,
  source text not null,
  file_name text,
  made_by text not null,
  made_at timestamptz not null default clock_timestamp(),
  statement_count integer not null default 0,
  statement_cents bigint not null default 0,
  matched integer not null default 0,
  constraint reconciliation__order check (from_at < to_at),
  constraint reconciliation__source check (
    source in ('call', 'file') and (source = 'file') = (file_name is not null)
  )
);

-- The newest word about each number, whichever reading brought it; `occurrence` is above 1 for what it lists twice.
create table wallet_entry (
  trans_sn text not null,
  occurrence integer not null,
  amount_cents bigint not null,
  player_id text not null,
  paid_at timestamptz not null,
  wallet_ref text,
  primary key (trans_sn, occurrence),
  constraint wallet_entry__occurrence check (occurrence > 0)
);
create index wallet_entry__paid_at on wallet_entry (paid_at);

-- How the wallet's word differs from our payouts.
create table reconciliation_break (
  id integer generated always as identity primary key,
  reconciliation_id integer not null references reconciliation (id),
  kind text not null,
  trans_sn text not null,
  occurrence integer not null,
  log_id bigint,
  rounds_id integer,
  our_state text,
  our_amount_cents bigint,
  our_player_id text,
  their_amount_cents bigint,
  their_player_id text,
  their_paid_at timestamptz,
  end_kind text,
  ended_by text,
  ended_at timestamptz,
  reason text,
  constraint reconciliation_break__kind check (
    kind in ('missing', 'extra', 'wrong_amount', 'wrong_player', 'stale_status')
  ),
  constraint reconciliation_break__end_whole check (
    (end_kind is null) = (ended_by is null) and (end_kind is null) = (ended_at is null)
    and (end_kind is null) = (reason is null)
  ),
  constraint reconciliation_break__end_kind check (end_kind in ('adopted', 'accepted', 'resolved'))
);
-- A break is open once, however often it is found; one that somebody has accepted stays accepted.
create unique index reconciliation_break__once on reconciliation_break (kind, trans_sn, occurrence)
  where end_kind is null or end_kind = 'accepted';
create index reconciliation_break__round on reconciliation_break (rounds_id) where end_kind is null;
create index reconciliation_break__run on reconciliation_break (reconciliation_id);

-- Who has signed off how a round ties out, with the figures as they were.
create table sheet_sign_off (
  rounds_id integer not null references activity (id),
  no integer not null,
  signed_by text not null,
  signed_at timestamptz not null default clock_timestamp(),
  hash text not null,
  figures jsonb not null,
  note text,
  -- Whoever signed had acted in the round, and nobody else could sign.
  is_alone boolean not null default false,
  primary key (rounds_id, no),
  constraint sheet_sign_off__no_positive check (no > 0)
);

-- Rows of a round that were deleted by age (finance/delete-old-rows.ts): those of its records with `id < below_id`.
create table round_cut (
  rounds_id integer not null references activity (id),
  what text not null constraint round_cut__what check (what in ('requests', 'attempts', 'entries')),
  below_id bigint not null default 0,
  is_whole boolean not null default false,
  -- Older rows were deleted; a wallet's entry of later is about a second payment.
  before_at timestamptz not null,
  -- Entries that the statements listed, for the sheet.
  listed_count bigint not null default 0,
  listed_cents numeric not null default 0,
  primary key (rounds_id, what)
);

-- Evidence

-- Records are sealed in blocks after their commit, off the draws' path (behaviour §5). A block binds its entries, its
-- number and the block before it.
create table seal (
  -- 1, 2, … without a gap.
  no bigint primary key,
  -- The entries, side by side; a record's hash is 32 bytes.
  log_ids bigint[] not null,
  rounds_ids integer[] not null,
  hashes bytea not null,
  first_id bigint not null,
  last_id bigint not null,
  prev bytea not null,
  hash bytea not null,
  sealed_at timestamptz not null default clock_timestamp(),
  -- Of the hash tree over the entries, which are under a commitment instead of the player (docs/security.md).
  root bytea not null,
  constraint seal__entries_whole check (
    cardinality(log_ids) > 0 and cardinality(rounds_ids) = cardinality(log_ids)
    and octet_length(hashes) = 32 * cardinality(log_ids)
  ),
  constraint seal__hash_length check (octet_length(prev) = 32 and octet_length(hash) = 32),
  constraint seal__root_length check (root is not null and octet_length(root) = 32),
  constraint seal__number_positive check (no > 0)
);
create index seal__last on seal (last_id);

-- Rows of the audit log are sealed as records are, in a chain of their own.
create table audit_seal (like seal including all);

-- Deleted when the player is erased: nobody can then tell whose the commitments were.
create table player_salt (
  player_key bigint primary key references player,
  salt bytea not null,
  constraint player_salt__length check (octet_length(salt) = 32)
);

-- What an erased player's records were sealed under.
create table erased_commitment (
  player_key bigint references player,
  rounds_id integer,
  commitment bytea not null,
  primary key (player_key, rounds_id),
  constraint erased_commitment__length check (octet_length(commitment) = 32)
);

-- Watch

-- Draw calls that got no draw, by minute since 2020-01-01 UTC; added each second (watch/refusal-tally.ts).
create table draw_refusal_minute (
  rounds_id bigint not null references activity (id),
  minute bigint not null,
  reason text not null,
  count bigint not null check (count > 0),
  primary key (rounds_id, minute, reason)
);

-- Messages to the platform (behaviour §14)

-- Where messages about payouts, stock and rounds go, at most one address.
create table webhook (
  is_only boolean primary key default true,
  url text not null,
  secret bytea not null,
  created_at timestamptz not null default now(),
  -- Since the first failure after the last success; then one call at a time tries, from next_try_at on.
  failing_since timestamptz,
  next_try_at timestamptz,
  -- What the address answered when it last took nothing; of interest while it fails.
  last_answer text,
  constraint webhook__only_one check (is_only),
  constraint webhook__failing_whole check ((failing_since is null) = (next_try_at is null))
);

-- Written in the transaction of what it tells. Names no player: that is added when it is sent.
create table webhook_message (
  id bigint generated always as identity primary key,
  message_id text not null default 'msg_' || gen_random_uuid(),
  type text not null,
  -- Messages about the same thing are sent in the order of their ids.
  subject text not null,
  data jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  state text not null default 'waiting',
  -- An operator sends it again: it does not wait for earlier ones any more.
  is_asked_for boolean not null default false,
  -- Also since it was to be sent again.
  waits_since timestamptz not null default clock_timestamp(),
  due_at timestamptz not null default clock_timestamp(),
  lease_until timestamptz,
  attempts integer not null default 0,
  answer text,
  ended_at timestamptz,
  constraint webhook_message__id_unique unique (message_id),
  constraint webhook_message__type check (type in
    ('payout.succeeded', 'payout.failed', 'prize.low_stock', 'activity.paused', 'activity.resumed')),
  constraint webhook_message__state check (state in ('waiting', 'delivered', 'given_up')),
  constraint webhook_message__end_whole check ((state = 'waiting') = (ended_at is null)),
  constraint webhook_message__lease check (lease_until is null or state = 'waiting' and attempts > 0),
  constraint webhook_message__delivered check (state <> 'delivered' or attempts > 0)
);
create index webhook_message__due on webhook_message (due_at) where state = 'waiting';
create index webhook_message__subject on webhook_message (subject, id);
create index webhook_message__ended on webhook_message (ended_at) where state <> 'waiting';

-- Functions

-- Of the rooms' functions (docs/decisions/0019-functions-of-the-database.md), those that triggers and a restore call.
\ir ../../../draws/ensure-draw-partition.sql
\ir ../../../webhooks/webhook-note.sql
\ir ../../../events/adjust-event-chunk.sql
\ir ../../../events/ensure-month.sql
\ir ../../rollups/rollup-rows.sql
\ir ../../rollups/rollup-change.sql
\ir ../../../records/rollup-draws.sql

-- The codes under which the rollups of the log count: hashes of 64 bits, so that nothing has to be numbered.
create function audit_code(p_text text) returns bigint
language sql immutable strict as $$ select hashtextextended(p_text, 0) $$;

create function audit_texts(l audit_log) returns text
language sql stable as $$ select jsonb_build_array(l.object_id, l.before, l.after, l.reason)::text $$;

create function audit_commitment(l audit_log) returns bytea
language sql stable as $$
  select coalesce(l.commitment, sha256(uuid_send(l.salt) || convert_to(audit_texts(l), 'UTF8')))
$$;

create function audit_hash(l audit_log) returns bytea
language sql stable as $$
  select sha256(convert_to((jsonb_build_array(l.id, (extract(epoch from l.at) * 1000000)::bigint, l.actor_kind, l.actor,
    l.action, l.object_type, l.outcome, l.request_id, l.address, encode(
      case when l.by_key then sha256(uuid_send(l.salt) || convert_to(audit_texts(l), 'UTF8'))
        else audit_commitment(l) end, 'hex'))
    || case when l.by_key then '["by_key"]'::jsonb else '[]'::jsonb end)::text, 'UTF8'))
$$;

create function audit_cut() returns trigger language plpgsql as $$
begin
  if old.by_key then
    raise exception 'row % of the audit log names players by key', old.id
      using errcode = 'check_violation', constraint = 'audit_log__by_key';
  end if;
  new.commitment := audit_commitment(old);
  new.salt := null;
  return new;
end $$;
create trigger audit_cut before update on audit_log
  for each row when (audit_texts(old) <> audit_texts(new)) execute function audit_cut();

-- What was decided stays decided: nothing runs twice.
create function approval_once() returns trigger language plpgsql as $$
begin
  raise exception 'approval % was decided', old.id using errcode = 'check_violation', constraint = 'approval__once';
end $$;
create trigger approval_once before update of state on approval
  for each row when (old.state <> 'waiting') execute function approval_once();

create function keep_former_name() returns trigger language plpgsql as $$
begin
  new.name_no := old.name_no + 1;
  insert into former_name (player_key, no, user_name, from_at)
  values (old.player_key, old.name_no, old.user_name, coalesce(
    (select max(to_at) from former_name where player_key = old.player_key), old.created_at));
  return new;
end $$;
-- A name that starts with chr(1) is a placeholder while two players swap theirs (players/player-sql.ts).
create trigger former_name before update of user_name on player
  for each row when (old.user_name is distinct from new.user_name and old.user_name not like chr(1) || '%')
  execute function keep_former_name();

create trigger deposit__chunk_insert after insert on deposit
  referencing new table as written
  for each statement execute function adjust_event_chunk('amount_cents', 'reversed_at');
create trigger deposit__chunk_update after update on deposit
  referencing new table as written old table as erased
  for each statement execute function adjust_event_chunk('amount_cents', 'reversed_at');
create trigger deposit__chunk_delete after delete on deposit
  referencing old table as erased
  for each statement execute function adjust_event_chunk('amount_cents', 'reversed_at');
create trigger bet__chunk_insert after insert on bet
  referencing new table as written
  for each statement execute function adjust_event_chunk('valid_bet_cents', 'voided_at');
create trigger bet__chunk_update after update on bet
  referencing new table as written old table as erased
  for each statement execute function adjust_event_chunk('valid_bet_cents', 'voided_at');
create trigger bet__chunk_delete after delete on bet
  referencing old table as erased
  for each statement execute function adjust_event_chunk('valid_bet_cents', 'voided_at');

-- A draw writes payouts in their first states only, and pays for one comparison of each; a restore writes the others.
create function rollup_payout_made() returns trigger
language plpgsql as $$
begin
  insert into rollup_delta (list, minute, a, b, n, cents)
  select 'payout', new.log_id / 983040000,
    array_position('{queued,sending,unknown,check,waiting_delivery,paid,delivered,refused,closed}'::text[], new.state),
    k.b, 1, new.amount_cents
  from (values (0::bigint), (new.rounds_id)) k (b);
  return null;
end $$;

create trigger rollup_insert after insert on payout for each row
  when (new.state not in ('queued', 'waiting_delivery')) execute function rollup_payout_made();

-- What else is counted. Records are never changed, and of an extra time only its use.
do $$
declare
  list text;
begin
  foreach list in array array['audit_log', 'deposit', 'bet', 'extra_time', 'draw_record', 'payout'] loop
    if list <> 'payout' then
      execute format('create trigger rollup_insert after insert on %I
        referencing new table as new_rows for each statement execute function %I()',
        list, case list when 'draw_record' then 'rollup_draws' else 'rollup_change' end);
    end if;
    if list not in ('extra_time', 'draw_record') then
      execute format('create trigger rollup_update after update on %I
        referencing old table as old_rows new table as new_rows
        for each statement execute function rollup_change()', list);
    end if;
    execute format('create trigger rollup_delete after delete on %I
      referencing old table as old_rows for each statement execute function rollup_change()', list);
    execute format('create trigger rollup_truncate after truncate on %I
      for each statement execute function rollup_change()', list);
  end loop;
end $$;

-- Payouts change many at a time: a call per row would cost ten times what the transition tables do. Of a prize and a
-- round the condition is evaluated without a call, and hardly ever true.
create trigger webhook_note after update on payout
  referencing old table as old_rows new table as new_rows
  for each statement execute function webhook_note();
create trigger webhook_note after update of drawn, award_total on prize for each row
  when ((old.award_total - old.drawn) * 10::bigint >= old.award_total
    and (new.award_total - new.drawn) * 10::bigint < new.award_total)
  execute function webhook_note();
create trigger webhook_note after update of rounds_status on activity for each row
  when (old.rounds_status <> new.rounds_status)
  execute function webhook_note();
