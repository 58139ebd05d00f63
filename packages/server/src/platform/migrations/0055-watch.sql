-- Draw calls that got no draw, by minute since 2020-01-01 UTC; added each second (watch/refusal-tally.ts).
create table draw_refusal_minute (
  rounds_id bigint not null references activity (id),
  minute bigint not null,
  reason text not null,
  count bigint not null check (count > 0),
  primary key (rounds_id, minute, reason)
);
