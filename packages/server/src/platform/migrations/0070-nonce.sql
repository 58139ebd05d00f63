-- Nonces of calls that must not come back to another process or after a restart (identity/key-auth.ts).
create table nonce (
  -- A hash of the key and its nonce.
  nonce_hash bytea primary key,
  at timestamptz not null default now()
);
