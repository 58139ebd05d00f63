-- "Only players with a bet on this platform" looks a player's bets up in this index, and in it alone.
drop index bet__player;
create index bet__player on bet (player_key, created_at)
  include (valid_bet_cents, voided_at, platform);
