-- What each list adds up, as SQL over `p_from` (its table, or the changed rows of a statement): one row per
-- row, with its minute since 2020-01-01 UTC, its two codes, its count and the cents that its total adds up.
-- 983,040,000 ids make a minute (event-sql.ts). Triggers, rebuild and verify all count by this text.
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
    end,
    p_from)
$$;
