alter table payout
  -- The operator who had a refused payout queued again; written on the attempt that follows.
  add column requested_by text,
  -- How often it was sent again because the wallet had never seen it: each time waits longer.
  add column resent integer not null default 0;
