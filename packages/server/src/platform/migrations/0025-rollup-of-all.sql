-- Deposits and bets also count under code 0, which stands for all codes: a total or a page without codes reads one row
-- of a minute, hour or day instead of one for each code.
set local statement_timeout = 0;

-- Nobody writes or folds meanwhile; an older program counts by this text from here on.
lock table deposit, bet in share row exclusive mode;
select pg_advisory_xact_lock(hashtext('rollup_fold'));

create or replace function rollup_rows(p_list text, p_from text) returns text
language sql immutable as $$
  select format(
    case p_list
      when 'deposit' then
        'select minute, coalesce(a, 0)::bigint as a, coalesce(b, 0)::bigint as b, count(*) as n, sum(cents) as cents
         from (
           select id / 983040000 as minute, channel as a, client as b,
             case when reversed_at is null then amount_cents else 0 end as cents from %s
         ) r group by minute, cube (a, b)'
      when 'bet' then
        'select minute, coalesce(a, 0)::bigint as a, 0::bigint as b, count(*) as n, sum(cents) as cents
         from (
           select id / 983040000 as minute, platform as a,
             case when voided_at is null then valid_bet_cents else 0 end as cents from %s
         ) r group by minute, cube (a)'
      when 'draw_record' then
        'select r.minute, k.a, k.b, r.n, r.cents
         from (
           select id / 983040000 as minute, rounds_id, award_name, award_price_cents, count(*) as n,
             sum(award_price_cents) as cents
           from %s group by 1, 2, 3, 4
         ) r
         join drawn_prize d using (rounds_id, award_name, award_price_cents)
         cross join lateral (values (0::bigint, 0::bigint), (1, rounds_id), (2, d.id)) k (a, b)'
      when 'extra_time' then
        'select id / 256 as minute, 0::bigint as a, 0::bigint as b, count(*) as n, 0::bigint as cents from %s group by 1'
    end,
    p_from)
$$;

insert into rollup (list, width, start, a, b, n, cents)
select list, width, start, coalesce(a, 0), coalesce(b, 0), sum(n), sum(cents)
from rollup where list = 'deposit' or list = 'bet'
group by list, width, start, grouping sets ((), (a), (b))
having list = 'deposit' or grouping(a, b) = 3
order by 1, 2, 4, 5, 3;

insert into rollup_delta (list, minute, a, b, n, cents)
select list, minute, coalesce(a, 0), coalesce(b, 0), sum(n), sum(cents)
from rollup_delta where list = 'deposit' or list = 'bet'
group by list, minute, grouping sets ((), (a), (b))
having list = 'deposit' or grouping(a, b) = 3;
