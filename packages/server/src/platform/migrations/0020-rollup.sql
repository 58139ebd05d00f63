-- Exact totals and any page of a list in milliseconds: its rows counted per minute, hour and day, and codes.
-- Statements write deltas, a job folds them (players/rollup-fold.sql), readers add both in one snapshot.
-- Filling reads every deposit and bet once.
set local statement_timeout = 0;

create table rollup (
  -- The table of the list.
  list text collate "C" not null,
  -- In minutes: 1, 60 or 1440.
  width integer not null,
  -- The first minute since 2020-01-01 UTC.
  start bigint not null,
  -- The codes of the list's filters; 0 when it has fewer.
  a bigint not null,
  b bigint not null,
  n bigint not null,
  -- Of the rows that the list's total adds up.
  cents bigint not null,
  primary key (list, width, start, a, b)
  -- Room for updates in place: the fold changes the newest rows every second.
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

create table rollup_delta (
  list text collate "C" not null,
  minute bigint not null,
  a bigint not null,
  b bigint not null,
  n bigint not null,
  cents bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0);
create index rollup_delta__minute on rollup_delta (list, minute);

create function rollup_rows(p_list text, p_from text) returns text
language sql immutable as $$
  select format(
    case p_list
      when 'deposit' then
        'select id / 983040000 as minute, channel::bigint as a, client::bigint as b, 1 as n,
           case when reversed_at is null then amount_cents else 0 end as cents from %s'
      when 'bet' then
        'select id / 983040000 as minute, platform::bigint as a, 0::bigint as b, 1 as n,
           case when voided_at is null then valid_bet_cents else 0 end as cents from %s'
    end,
    p_from)
$$;

create function rollup_change() returns trigger
language plpgsql as $$
declare
  added text := rollup_rows(tg_table_name, 'new_rows');
  removed text := 'select minute, a, b, -n as n, -cents as cents from (' || rollup_rows(tg_table_name, 'old_rows') || ') o';
begin
  if tg_op = 'TRUNCATE' then
    perform pg_advisory_xact_lock(hashtext('rollup_fold'));
    delete from rollup_delta where list = tg_table_name;
    delete from rollup where list = tg_table_name;
    return null;
  end if;
  execute format(
    'insert into rollup_delta (list, minute, a, b, n, cents)
     select %L, minute, a, b, sum(n), sum(cents) from (%s) r
     group by minute, a, b having sum(n) <> 0 or sum(cents) <> 0',
    tg_table_name,
    case tg_op when 'INSERT' then added when 'DELETE' then removed
      else added || ' union all ' || removed end);
  return null;
end $$;

-- The triggers lock both tables until the end, so no row is missed or counted twice.
do $$
declare
  list text;
begin
  foreach list in array array['deposit', 'bet'] loop
    execute format('create trigger rollup_insert after insert on %I
      referencing new table as new_rows for each statement execute function rollup_change()', list);
    execute format('create trigger rollup_update after update on %I
      referencing old table as old_rows new table as new_rows
      for each statement execute function rollup_change()', list);
    execute format('create trigger rollup_delete after delete on %I
      referencing old table as old_rows for each statement execute function rollup_change()', list);
    execute format('create trigger rollup_truncate after truncate on %I
      for each statement execute function rollup_change()', list);
    execute format(
      'with minutes as (
         select minute, a, b, sum(n) as n, sum(cents) as cents from (%s) r group by minute, a, b
       )
       insert into rollup (list, width, start, a, b, n, cents)
       select %L, width, minute - minute %% width as start, a, b, sum(n), sum(cents)
       from minutes cross join (values (1), (60), (1440)) w (width)
       group by width, start, a, b
       order by width, start, a, b',
      rollup_rows(list, list), list);
  end loop;
end $$;
