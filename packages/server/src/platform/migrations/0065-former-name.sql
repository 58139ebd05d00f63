-- What players were called before (behaviour §3). Stored texts name a player by a reference (platform/player-names.ts);
-- the name of now stands in `player`, former ones here. Erasing a player empties both, and no text is rewritten.
alter table player add column name_no integer not null default 1;

create table former_name (
  player_key bigint not null references player (player_key),
  -- The player's first name is 1.
  no integer not null,
  user_name text not null,
  user_name_key text not null generated always as (lower(user_name)) stored,
  from_at timestamptz not null,
  to_at timestamptz not null default clock_timestamp(),
  primary key (player_key, no)
);
create index former_name__name on former_name (user_name_key);

-- By a trigger, so that a process of the release before keeps them too.
create function keep_former_name() returns trigger language plpgsql as $$
begin
  new.name_no := old.name_no + 1;
  insert into former_name (player_key, no, user_name, from_at)
  values (old.player_key, old.name_no, old.user_name, coalesce(
    (select max(to_at) from former_name where player_key = old.player_key), old.created_at));
  return new;
end $$;
-- A name that starts with chr(1) is a placeholder while two players swap theirs (players/player-sql.ts).
create trigger former_name before update of user_name on player
  for each row when (old.user_name is distinct from new.user_name and old.user_name not like chr(1) || '%')
  execute function keep_former_name();
