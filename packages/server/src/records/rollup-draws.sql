-- Counts the records of an insert as rollup_rows does, and inserts prizes that were drawn for the first time. Draws
-- wait for this function, so its statements keep their plans; the statements of rollup_change cannot keep them.
create or replace function rollup_draws() returns trigger
language plpgsql as $$
begin
  -- Inserts in a fixed order, because the first draws of a prize wait for each other.
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
