-- What a download's address carries instead of a token: one use, one minute, one path with its filters.
create table ticket (
  ticket_hash bytea primary key,
  -- The session that asked for it; with its end the ticket ends too.
  token_hash bytea not null references session (token_hash),
  -- SHA-256 of path and sorted filters.
  target_hash bytea not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index ticket__expiry on ticket (expires_at);
