-- What waits for the wallet is counted from the index alone while the wallet is down.
drop index payout__due;
create index payout__due on payout (next_at) include (amount_cents) where state in ('queued', 'unknown');

-- Each attempt is written before its call and finished after it: with room on its page no index is written again.
alter table payout_attempt set (fillfactor = 50);

-- So is a player's version, which every deposit, bet and block raises.
alter table player set (fillfactor = 80);

-- Numbers grow with time, so a few bytes for many pages find the requests of old records (finance/delete-old-rows.ts).
create index draw_request__log on draw_request using brin (log_id);

-- Rows of a round that were deleted by age: those of its records with `id < below_id`.
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

-- Months of deposits and bets that were taken out of the tables (players/detach-month.ts).
create table detached_month (
  kind text not null constraint detached_month__kind check (kind in ('deposit', 'bet')),
  month date not null constraint detached_month__first_day check (extract(day from month) = 1),
  detached_at timestamptz not null default clock_timestamp(),
  primary key (kind, month)
);
