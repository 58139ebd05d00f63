-- Limits of a round: draws of a player in it, draws of a player on a business day over all rounds, and the platforms
-- whose bets count. Null: none, and the bets of all.
alter table activity
  add column draws_max integer constraint activity__draws_max check (draws_max between 1 and 1000000),
  add column day_draws_max integer constraint activity__day_draws_max check (day_draws_max between 1 and 1000000),
  add column platforms smallint[] constraint activity__platforms check (
    platforms is null or condition_name = '1' and cardinality(platforms) > 0
      and platforms <@ '{1234,2234,3234,5234,6234,7234}'
  );

-- Which rounds can have draws of a day: those that run on it, and those that an edit may have moved since.
create index activity__end on activity (end_time);
create index activity_rule__created on activity_rule (created_at);

-- Sums of the bets on some platforms only; empty: on all.
alter table event_chunk
  add column platforms smallint[] not null default '{}',
  drop constraint event_chunk_pkey,
  add primary key (kind, player_key, value_cents, platforms, from_at);

-- They have one parameter more from now on.
drop function if exists chance_inputs(bigint, text[]);
drop function if exists draw_inputs(bigint, text[], text[], text[]);
drop function if exists draw_commit(integer, integer, integer, integer, bigint[], bigint[], integer[], bigint[], text[], text[],
  text[], text[], bigint[], integer[], bigint[], integer[], bigint[], bigint[], text[], integer[], boolean[], boolean[]);
