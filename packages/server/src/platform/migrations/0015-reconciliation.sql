-- What the wallet says it has paid, and how that differs from our payouts (behaviour §6).

create table reconciliation (
  id integer generated always as identity primary key,
  -- What the statement covers: from_at ≤ paid_at < to_at, by the wallet's clock.
  from_at timestamptz not null,
  to_at timestamptz not null,
  source text not null,
  file_name text,
  made_by text not null,
  made_at timestamptz not null default clock_timestamp(),
  -- Null until the whole statement was read and compared.
  finished_at timestamptz,
  statement_count integer not null default 0,
  statement_cents bigint not null default 0,
  matched integer not null default 0,
  constraint reconciliation__order check (from_at < to_at),
  constraint reconciliation__source check (
    source in ('call', 'file') and (source = 'file') = (file_name is not null)
  )
);

-- The statement as it was last read, one row per entry; `occurrence` is above 1 for what it lists twice.
create table wallet_entry (
  trans_sn text not null,
  occurrence integer not null,
  amount_cents bigint not null,
  player_id text not null,
  paid_at timestamptz not null,
  wallet_ref text,
  reconciliation_id integer not null references reconciliation (id),
  primary key (trans_sn, occurrence),
  constraint wallet_entry__occurrence check (occurrence > 0)
);
create index wallet_entry__run on wallet_entry (reconciliation_id);

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

-- Payouts by when they were paid: they follow each other nearly in that order in the table.
create index payout__paid_at on payout using brin (paid_at);

-- The wallet's statement is a word of the wallet too, and is kept as such.
alter table payout_attempt
  drop constraint payout_attempt__kind,
  add constraint payout_attempt__kind check (kind in ('pay', 'query', 'callback', 'statement'));
