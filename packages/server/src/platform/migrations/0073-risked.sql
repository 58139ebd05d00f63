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
