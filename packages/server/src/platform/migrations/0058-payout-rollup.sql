-- Payouts join the lists that are counted (0020-rollup.sql), so that what waits is known at once however much that is:
-- each by its state, once that is not the one in which it began. Filling reads every payout once.
set local statement_timeout = 0;

-- A draw writes payouts in their first states only, and pays for one comparison of each.
create function rollup_payout_made() returns trigger
language plpgsql as $$
begin
  execute 'insert into rollup_delta (list, minute, a, b, n, cents) select ''payout'', r.* from ('
    || rollup_rows('payout', '(select ($1).*) p') || ') r' using new;
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
