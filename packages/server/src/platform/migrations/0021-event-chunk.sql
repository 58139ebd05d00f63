-- Sums over stretches of one player's deposits or bets, only for players with very many (players/event-chunk-sql.ts).
-- An older program would not keep them while it writes rows, so it must not start.
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
  primary key (kind, player_key, value_cents, from_at),
  constraint event_chunk__kind check (kind in ('deposit', 'bet')),
  constraint event_chunk__value_range check (value_cents >= 1),
  constraint event_chunk__times check (from_at < to_at)
);

-- Its body stands in players/adjust-event-chunk.sql.
create function adjust_event_chunk() returns trigger language plpgsql as 'begin return null; end';

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
