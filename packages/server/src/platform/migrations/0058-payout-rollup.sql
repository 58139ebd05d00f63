-- Payouts join the lists that are counted (0020-rollup.sql), so that what waits is known at once however much that is:
-- each by its state, once that is not the one in which it began. Filling reads every payout once.
set local statement_timeout = 0;

-- Nobody writes or folds meanwhile; an older program counts by this text from here on.
lock table payout in share row exclusive mode;
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
      when 'payout' then
        'select p.minute, s.a, k.b, p.n, p.cents
         from (
           select log_id / 983040000 as minute, rounds_id, state, count(*) as n, sum(amount_cents) as cents
           from %s group by 1, 2, 3
         ) p
         join unnest(''{queued,sending,unknown,check,waiting_delivery,paid,delivered,refused,closed}''::text[])
           with ordinality s (state, a) using (state)
         cross join lateral (values (0::bigint), (p.rounds_id)) k (b)
         where p.state not in (''queued'', ''waiting_delivery'')'
    end,
    p_from)
$$;

-- A draw writes payouts in their first states only, and pays for one comparison of each; a restore writes the others.
create function rollup_payout_made() returns trigger
language plpgsql as $$
begin
  insert into rollup_delta (list, minute, a, b, n, cents)
  select 'payout', new.log_id / 983040000,
    array_position('{queued,sending,unknown,check,waiting_delivery,paid,delivered,refused,closed}'::text[], new.state),
    k.b, 1, new.amount_cents
  from (values (0::bigint), (new.rounds_id)) k (b);
  return null;
end $$;
create trigger rollup_insert after insert on payout for each row
  when (new.state not in ('queued', 'waiting_delivery')) execute function rollup_payout_made();
create trigger rollup_update after update on payout
  referencing old table as old_rows new table as new_rows for each statement execute function rollup_change();
create trigger rollup_delete after delete on payout
  referencing old table as old_rows for each statement execute function rollup_change();
create trigger rollup_truncate after truncate on payout for each statement execute function rollup_change();

insert into rollup (list, width, start, a, b, n, cents)
select 'payout', width, minute - minute % width as start, a, b, sum(p.n), sum(p.cents)
from (
  select log_id / 983040000 as minute, rounds_id, state, count(*) as n, sum(amount_cents) as cents
  from payout where state not in ('queued', 'waiting_delivery') group by 1, 2, 3
) p
join unnest('{queued,sending,unknown,check,waiting_delivery,paid,delivered,refused,closed}'::text[])
  with ordinality s (state, a) using (state)
cross join lateral (values (0::bigint), (p.rounds_id)) k (b)
cross join (values (1), (60), (1440)) w (width)
group by width, 3, a, b
order by width, a, b, 3;
