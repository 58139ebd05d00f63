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
