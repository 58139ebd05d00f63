-- Payouts repeat the prize's name, so that lists of open ones by a part of it read no record: all physical prizes have one
-- price, and wait for weeks. Only open payouts are listed this way, so those that are done stay without.
alter table payout add column award_name text;
update payout p set award_name = r.award_name
from draw_record r
where r.id = p.log_id and r.rounds_id = p.rounds_id and p.state not in ('paid', 'delivered');
drop index payout__open;
create index payout__open on payout (rounds_id, state, log_id) include (amount_cents, award_name)
  where state not in ('paid', 'delivered');
