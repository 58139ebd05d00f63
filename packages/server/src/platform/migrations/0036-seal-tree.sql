-- Records are sealed in a hash tree per block, under a commitment instead of the player (docs/security.md). Blocks of
-- the former kind have no root: redctl reseal replaces them once.
alter table seal add column root bytea;
alter table seal add constraint seal__root_length check (root is not null and octet_length(root) = 32) not valid;

-- Deleted when the player is erased: nobody can then tell whose the commitments were.
create table player_salt (
  player_key bigint primary key references player,
  salt bytea not null,
  constraint player_salt__length check (octet_length(salt) = 32)
);

-- What an erased player's records were sealed under.
create table erased_commitment (
  player_key bigint references player,
  rounds_id integer,
  commitment bytea not null,
  primary key (player_key, rounds_id),
  constraint erased_commitment__length check (octet_length(commitment) = 32)
);
