-- Players whose id, account and salt were erased on request (behaviour §3): the row stays, under a name without meaning.
alter table player add column erased_at timestamptz;
alter table player add constraint player__erased_blocked check (erased_at is null or blocked);
create index player__erased on player (player_key) where erased_at is not null;
