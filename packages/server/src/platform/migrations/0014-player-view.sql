-- Since when a player is blocked; unknown for those who were before this was written down.
alter table player
  add column blocked_at timestamptz,
  add constraint player__blocked_since check (blocked or blocked_at is null);

-- Accounts by their first letters, whatever the database's collation.
create index player__name_prefix on player (user_name_key text_pattern_ops);
