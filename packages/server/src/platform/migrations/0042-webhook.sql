-- Where messages about payouts, stock and rounds go (behaviour §14), at most one address.
create table webhook (
  is_only boolean primary key default true,
  url text not null,
  secret bytea not null,
  created_at timestamptz not null default now(),
  -- Since the first failure after the last success; then one call at a time tries, from next_try_at on.
  failing_since timestamptz,
  next_try_at timestamptz,
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

create function webhook_note() returns trigger language plpgsql as $$ begin return null; end $$;

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
