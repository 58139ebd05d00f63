-- Draw calls that got no draw, by minute since 2020-01-01 UTC and reason. Counted in memory and added each second
-- (watch/refusal-tally.ts): a killed process loses its last second.
create table draw_refusal_minute (
  rounds_id bigint not null references activity (id),
  minute bigint not null,
  reason text not null,
  count bigint not null,
  primary key (rounds_id, minute, reason),
  constraint draw_refusal_minute__count check (count > 0)
);
