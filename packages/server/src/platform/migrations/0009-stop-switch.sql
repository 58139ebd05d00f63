-- Stop switches: what has a row here is stopped. Only that: who stopped and started what, and when, is
-- in the audit log.

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

-- While payouts are stopped only these are claimed, past however many that are queued.
create index payout__asked on payout (next_at) where state = 'unknown';
