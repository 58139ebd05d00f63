-- Operators, activities, pools, players and what they earn draws with. Money is bigint cents, times
-- are instants. Every rule that matters is a named constraint; db/constraints.ts maps the names that
-- a caller can run into to error keys.

create table operator (
  id bigint generated always as identity primary key,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  password_hash text not null,
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
  constraint operator__name_unique unique (name_key)
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
  constraint session__end_whole check ((ended_at is null) = (ended_by is null)),
  constraint session__ended_by check (ended_by in ('logout', 'other', 'expiry'))
);
create index session__operator on session (operator_id) where ended_at is null;

create table api_key (
  key text primary key,
  name text not null,
  secret bytea not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  constraint api_key__scopes check (scopes <@ '{ingest,draw,read}' and scopes <> '{}')
);

create table audit_log (
  id bigint generated always as identity primary key,
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
  constraint audit_log__actor_kind check (actor_kind in ('operator', 'key', 'redctl', 'system')),
  constraint audit_log__outcome check (outcome in ('done', 'refused'))
);
create index audit_log__object on audit_log (object_type, object_id, id);

-- Facts about this database itself: is it a demonstration, which key encrypts it.
create table installation (
  name text primary key,
  value text not null
);

create table activity_tag (
  tag text primary key,
  label text not null
);
insert into activity_tag (tag, label) values ('weekend', '周末红包'), ('dragon', '端午红包');

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

-- The rule as it was at each save; a record names the version that it was drawn under.
create table activity_rule (
  rounds_id integer not null references activity (id),
  version integer not null,
  rule jsonb not null,
  created_at timestamptz not null default now(),
  primary key (rounds_id, version)
);

create table player (
  player_key bigint generated always as identity primary key,
  player_id text not null,
  user_name text not null,
  user_name_key text not null generated always as (lower(user_name)) stored,
  blocked boolean not null default false,
  -- Raised by everything that may change what the player can draw; checked again by every draw.
  version bigint not null default 1,
  created_at timestamptz not null default now(),
  constraint player__id_unique unique (player_id),
  constraint player__name_unique unique (user_name_key)
);

-- Ids of deposits and bets code their created_at, so that one index serves time and order:
-- (milliseconds since 2020-01-01 UTC) * 2^14 + a slot. Below 2^53 until 2037.
create sequence event_slot cycle minvalue 0 maxvalue 16383;

create table deposit (
  id bigint not null,
  order_no text not null,
  player_key bigint not null references player (player_key),
  amount_cents bigint not null,
  channel smallint not null,
  client smallint not null,
  created_at timestamptz not null,
  reversed_at timestamptz,
  reversal_reason text,
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
  voided_at timestamptz,
  void_reason text,
  primary key (bet_no, created_at),
  constraint bet__id_unique unique (id, created_at),
  constraint bet__amount_range check (valid_bet_cents between 1 and 999999999999),
  constraint bet__platform check (platform in (1234, 2234, 3234, 5234, 6234, 7234))
) partition by range (created_at);
create index bet__player on bet (player_key, created_at) include (valid_bet_cents, voided_at);

-- One row = one extra draw of one player in one activity group.
create table extra_time (
  id bigint generated always as identity primary key,
  player_key bigint not null references player (player_key),
  tag text not null references activity_tag (tag),
  expire_time timestamptz not null,
  granted_by text not null,
  created_at timestamptz not null default now(),
  used_log_id bigint,
  used_rounds_id integer,
  constraint extra_time__use_whole check ((used_log_id is null) = (used_rounds_id is null))
);
create index extra_time__unused on extra_time (player_key, tag, expire_time)
  where used_log_id is null;
create index extra_time__used on extra_time (used_rounds_id, player_key)
  where used_log_id is not null;
create index extra_time__player on extra_time (player_key, id);

-- The month partitions of deposits and bets are made when a first row needs one.
create function ensure_month(p_table text, p_month date) returns void
language plpgsql as $$
declare
  part text := format('%s_%s', p_table, to_char(p_month, 'YYYYMM'));
begin
  if to_regclass(part) is not null then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtext('ensure_month'));
  -- Asked of the table itself: to_regclass may answer from before the wait.
  if exists (select from pg_class where relname = part and relnamespace = 'public'::regnamespace) then
    return;
  end if;
  -- LIKE and ATTACH take a lighter lock on the parent than CREATE … PARTITION OF.
  execute format('create table %I (like %I including defaults including constraints)', part, p_table);
  execute format(
    'alter table %I attach partition %I for values from (%L) to (%L)',
    p_table, part,
    to_char(p_month, 'YYYY-MM-DD') || ' 00:00:00+00',
    to_char(p_month + interval '1 month', 'YYYY-MM-DD') || ' 00:00:00+00'
  );
end $$;
