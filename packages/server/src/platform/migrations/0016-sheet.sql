-- Who has signed off how a round ties out, with the figures as they were (behaviour §6).
create table sheet_sign_off (
  rounds_id integer not null references activity (id),
  no integer not null,
  signed_by text not null,
  signed_at timestamptz not null default clock_timestamp(),
  hash text not null,
  figures jsonb not null,
  note text,
  primary key (rounds_id, no),
  constraint sheet_sign_off__no_positive check (no > 0)
);
