-- What each list adds up, as SQL over `p_from` (its table, or the changed rows of a statement): its minute since
-- 2020-01-01 UTC, its two codes, its count and the cents that its total adds up. 983,040,000 ids make a minute
-- (event-sql.ts); ids of extra times are numbers, and 256 of them stand for one. Code 0 of a deposit or bet counts all
-- codes. A record counts three times: under (0, 0) among all, (1, its round) and (2, its prize as drawn). So each
-- filter reads few rows. A payout counts under the place of its state in PAYOUT_STATES and its round, or 0 for all, but
-- not in the state in which it began: those are the draws that have no other. A row of the audit log counts under who did it
-- (all, its kind, itself) and what was done (all, the kind of object, the outcome, the act with both). Triggers, rebuild and verify all count by
-- this text. The offset keeps the cube here when the rows lie on other machines.
create or replace function rollup_rows(p_list text, p_from text) returns text
language sql immutable as $$
  select format(
    case p_list
      when 'deposit' then
        'select minute, coalesce(a, 0)::bigint as a, coalesce(b, 0)::bigint as b, count(*) as n, sum(cents) as cents
         from (
           select id / 983040000 as minute, channel as a, client as b,
             case when reversed_at is null then amount_cents else 0 end as cents from %s offset 0
         ) r group by minute, cube (a, b)'
      when 'bet' then
        'select minute, coalesce(a, 0)::bigint as a, 0::bigint as b, count(*) as n, sum(cents) as cents
         from (
           select id / 983040000 as minute, platform as a,
             case when voided_at is null then valid_bet_cents else 0 end as cents from %s offset 0
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
      when 'audit_log' then
        'select r.minute, a.code as a, b.code as b, r.n, 0::bigint as cents
         from (
           select id / 983040000 as minute, actor_kind, actor, object_type, action, outcome, count(*) as n
           from %s group by 1, 2, 3, 4, 5, 6
         ) r
         cross join lateral (values (0::bigint), (audit_code(actor_kind)), (audit_code(actor_kind || '':'' || actor))) a (code)
         cross join lateral (values (0::bigint), (audit_code(object_type)), (audit_code(outcome)),
           (audit_code(object_type || '' '' || action || '' '' || outcome))) b (code)'
    end,
    p_from)
$$;
