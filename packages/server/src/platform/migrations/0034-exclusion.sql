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

-- The latest end of those that are not lifted, which the acts on exclusions keep; draws read nothing else.
alter table player add column excluded_until timestamptz;

-- Extra times of one grant to many have its number.
create sequence extra_time_batch as bigint;
alter table extra_time add column batch_id bigint;
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
