-- Operators and keys are managed on screens: sessions get a number and the address that opened them, keys a second
-- secret and the time of the last call with the first.
alter table session
  add column id bigint generated always as identity,
  add column address text,
  add constraint session__id_unique unique (id);

-- Each replaces one code of the authenticator at a sign-in, once. SHA-256 of the code: it has 54 bits of chance.
create table recovery_code (
  operator_id bigint not null references operator (id),
  code_hash bytea not null,
  used_at timestamptz,
  primary key (operator_id, code_hash)
);

alter table api_key
  add column used_at timestamptz,
  add column next_secret bytea,
  add column rotated_at timestamptz,
  add constraint api_key__next_whole check ((next_secret is null) = (rotated_at is null));
