-- Records and extra times join the lists that are counted (0020-rollup.sql). Filling reads every record once: allow
-- minutes for ten million.
set local statement_timeout = 0;
set local work_mem = '256MB';

-- A filter by codes reads their buckets alone.
alter table rollup drop constraint rollup_pkey, add primary key (list, width, a, b, start);

-- Sums of open payouts come from the index alone.
drop index payout__open;
create index payout__open on payout (rounds_id, state, log_id) include (amount_cents)
  where state not in ('paid', 'delivered');

-- The prizes of each round as drawn, so that a part of a name and a price become codes of the rollup. A prize that is
-- renamed or gets another price has a row for each.
create table drawn_prize (
  id integer generated always as identity primary key,
  rounds_id integer not null,
  award_name text not null,
  award_price_cents bigint not null,
  constraint drawn_prize__once unique (rounds_id, award_name, award_price_cents)
);

create or replace function rollup_rows(p_list text, p_from text) returns text
language sql immutable as $$
  select format(
    case p_list
      when 'deposit' then
        'select id / 983040000 as minute, channel::bigint as a, client::bigint as b, 1 as n,
           case when reversed_at is null then amount_cents else 0 end as cents from %s'
      when 'bet' then
        'select id / 983040000 as minute, platform::bigint as a, 0::bigint as b, 1 as n,
           case when voided_at is null then valid_bet_cents else 0 end as cents from %s'
      when 'draw_record' then
        'select r.minute, k.a, k.b, 1 as n, award_price_cents as cents
         from (
           select id / 983040000 as minute, rounds_id, award_name, award_price_cents from %s
         ) r
         join drawn_prize d using (rounds_id, award_name, award_price_cents)
         cross join lateral (values (0::bigint, 0::bigint), (1, rounds_id), (2, d.id)) k (a, b)'
      when 'extra_time' then
        'select id / 256 as minute, 0::bigint as a, 0::bigint as b, 1 as n, 0::bigint as cents from %s'
    end,
    p_from)
$$;

create function rollup_draws() returns trigger
language plpgsql as $$
begin
  -- In one order, since the first draws of a prize wait for each other.
  insert into drawn_prize (rounds_id, award_name, award_price_cents)
  select distinct r.rounds_id, r.award_name, r.award_price_cents from new_rows r
  where not exists (
    select from drawn_prize d where d.rounds_id = r.rounds_id and d.award_name = r.award_name
      and d.award_price_cents = r.award_price_cents
  )
  order by 1, 2, 3
  on conflict do nothing;
  insert into rollup_delta (list, minute, a, b, n, cents)
  select 'draw_record', r.minute, case when r.rounds_id is not null then 1 when d.id is not null then 2 else 0 end,
    coalesce(r.rounds_id, d.id, 0), sum(r.n), sum(r.cents)
  from (
    select id / 983040000 as minute, rounds_id, award_name, award_price_cents, count(*) as n,
      sum(award_price_cents) as cents
    from new_rows group by 1, 2, 3, 4
  ) r
  join drawn_prize d using (rounds_id, award_name, award_price_cents)
  group by r.minute, grouping sets ((), (r.rounds_id), (d.id));
  return null;
end $$;

-- Records are never changed, and of an extra time only its use.
do $$
declare
  list text;
begin
  lock table draw_record, extra_time in share row exclusive mode;
  insert into drawn_prize (rounds_id, award_name, award_price_cents)
  select rounds_id, award_name, award_price_cents from draw_record group by 1, 2, 3 order by 1, 2, 3;
  foreach list in array array['draw_record', 'extra_time'] loop
    execute format('create trigger rollup_insert after insert on %I
      referencing new table as new_rows for each statement execute function %I()',
      list, case list when 'draw_record' then 'rollup_draws' else 'rollup_change' end);
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
       order by width, a, b, start',
      rollup_rows(list, list), list);
  end loop;
end $$;
