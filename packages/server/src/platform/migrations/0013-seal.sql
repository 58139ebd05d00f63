-- Records are sealed in blocks after their commit, off the draws' path (behaviour §5). A block binds
-- its entries (record, round, hash of the record's facts), its number and the block before it.
create table seal (
  -- 1, 2, … without a gap.
  no bigint primary key,
  -- The entries, side by side; a record's hash is 32 bytes.
  log_ids bigint[] not null,
  rounds_ids integer[] not null,
  hashes bytea not null,
  first_id bigint not null,
  last_id bigint not null,
  prev bytea not null,
  hash bytea not null,
  sealed_at timestamptz not null default clock_timestamp(),
  constraint seal__entries_whole check (
    cardinality(log_ids) > 0 and cardinality(rounds_ids) = cardinality(log_ids)
    and octet_length(hashes) = 32 * cardinality(log_ids)
  ),
  constraint seal__hash_length check (octet_length(prev) = 32 and octet_length(hash) = 32),
  constraint seal__number_positive check (no > 0)
);
create index seal__last on seal (last_id);
