-- Returns SQL that counts the rows of `p_from` (the table of a list, or the rows that a statement changed) by minute
-- since 2020-01-01 UTC and by two codes, and sums their cents. Triggers, rebuild and verify all count with this text.
-- Minutes: 983,040,000 ids are one minute (time-ids.ts). Ids of extra times are plain numbers, and 256 of them count as
-- one minute. Deposits and bets: code 0 counts all codes. Records: a record counts three times, so that each filter
-- reads few rows: under (0, 0), under (1, its round) and under (2, its prize as drawn). Payouts: a payout counts under
-- the position of its state in PAYOUT_STATES, for its round and for 0 (all rounds). The two initial states are not
-- counted: draws without any other state are in them. Audit log: a row counts under its actor (all, the kind, the
-- actor) and under its action (all, the kind of object, the outcome, the action with both). `offset 0` keeps the cube
-- on this machine when the rows are on other machines.
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
