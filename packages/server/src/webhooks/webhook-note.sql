-- Writes a message when a payout, prize or round changes, in the same transaction, if an address is set
-- (behaviour §14). The triggers decide which changes of a prize and a round make a message.
create or replace function webhook_note() returns trigger
language plpgsql as $$
begin
  if not exists (select from webhook) then
    return null;
  end if;
  case tg_table_name
    when 'payout' then
      insert into webhook_message (type, subject, data)
      select case when n.paid_at is null then 'payout.failed' else 'payout.succeeded' end, 'payout ' || n.trans_sn,
        jsonb_build_object('trans_sn', n.trans_sn, 'log_id', n.log_id, 'rounds_id', n.rounds_id, 'award_name', n.award_name,
          'amount', (n.amount_cents / 100.0)::numeric(20, 2)::text, 'state', n.state)
      from new_rows n
      join old_rows o using (log_id)
      where n.state <> o.state
        and (n.state in ('paid', 'delivered', 'refused') or o.state = 'check' and n.state = 'closed');
    when 'prize' then
      insert into webhook_message (type, subject, data)
      select 'prize.low_stock', 'prize ' || new.id,
        jsonb_build_object('prize_id', new.id, 'award_name', new.award_name, 'pool_name', p.pool_name,
          'rounds_ids', (select coalesce(jsonb_agg(a.id order by a.id), '[]') from activity a
            where a.pool_id = p.id and a.deleted_at is null and a.end_time >= now()),
          'remaining', new.award_total - new.drawn, 'award_total', new.award_total)
      from pool p where p.id = new.pool_id;
    when 'activity' then
      insert into webhook_message (type, subject, data)
      values (case new.rounds_status when 0 then 'activity.paused' else 'activity.resumed' end, 'round ' || new.id,
        jsonb_build_object('rounds_id', new.id, 'rounds_name', new.rounds_name, 'rounds_status', new.rounds_status));
  end case;
  return null;
end $$;
