-- Keeps the chunks of heavy players (event-chunk-sql.ts) equal to their rows after each statement on deposits or bets.
-- The writer holds the rows' players since before the statement (lockDrawers), and so does who makes a chunk.
-- Arguments: the table's columns of the amount and of the reversal. A chunk that has grown too large is dropped.
create or replace function adjust_event_chunk() returns trigger
language plpgsql set enable_seqscan = off as $$
declare
  v_rows_max constant integer := 2000;
  v_change constant text := 'select %s as sign, player_key, created_at, %I as cents, %I is null as counts, '
    || case TG_TABLE_NAME when 'bet' then 'platform' else 'null::smallint' end || ' as platform from %s';
  v_written constant text := format(v_change, '1', TG_ARGV[0], TG_ARGV[1], 'written');
  v_erased constant text := format(v_change, '-1', TG_ARGV[0], TG_ARGV[1], 'erased');
begin
  if TG_OP = 'INSERT' then
    -- Nearly all calls end here: their players have no chunks, or only older ones. The limit and the setting force one
    -- index look-up per player; a scan per player would find nothing in all of the table.
    if not exists (
      select from (select player_key, min(created_at) as first_at from written group by player_key) w
      cross join lateral (
        select from event_chunk c
        where c.kind = TG_TABLE_NAME and c.player_key = w.player_key and c.to_at > w.first_at limit 1
      ) c
    ) then
      return null;
    end if;
  end if;
  execute format(
    $sql$
    with change as (%1$s),
    delta as (
      select h.player_key, h.value_cents, h.platforms, c.from_at,
        sum(sign) filter (where counts) as live,
        sum(sign * cents) filter (where counts) as live_cents,
        max(cents) filter (where counts) as max_cents,
        coalesce(max(cents) filter (where counts and sign < 0) >= max(c.max_cents), false) as is_max_lost,
        sum(sign * (cents / h.value_cents)) filter (where counts) as fulls,
        sum(sign) filter (where not counts) as gone,
        sum(sign * cents) filter (where not counts) as gone_cents,
        max(c.live + c.gone) + sum(sign) > %2$s as is_large
      from (
        select distinct player_key, value_cents, platforms from event_chunk
        where kind = %3$L and player_key in (select player_key from change)
      ) h
      join change r using (player_key)
      cross join lateral (
        select * from event_chunk c
        where c.kind = %3$L and c.player_key = h.player_key and c.value_cents = h.value_cents
          and c.platforms = h.platforms and c.from_at <= r.created_at
        order by c.from_at desc limit 1
      ) c
      where r.created_at < c.to_at and (h.platforms = '{}' or r.platform = any (h.platforms))
      group by h.player_key, h.value_cents, h.platforms, c.from_at
    ),
    dropped as (
      delete from event_chunk c using delta d
      where d.is_large and c.kind = %3$L and c.player_key = d.player_key and c.value_cents = d.value_cents
        and c.platforms = d.platforms and c.from_at = d.from_at
    )
    update event_chunk c set
      live = c.live + coalesce(d.live, 0),
      live_cents = c.live_cents + coalesce(d.live_cents, 0),
      max_cents = case when d.is_max_lost then (
          select coalesce(max(e.%4$I), 0) from %3$I e
          where e.player_key = c.player_key and e.created_at >= c.from_at and e.created_at < c.to_at
            and e.%5$I is null and (c.platforms = '{}' or %6$s = any (c.platforms))
        ) else greatest(c.max_cents, d.max_cents) end,
      fulls = c.fulls + coalesce(d.fulls, 0),
      gone = c.gone + coalesce(d.gone, 0),
      gone_cents = c.gone_cents + coalesce(d.gone_cents, 0)
    from delta d
    where not d.is_large and c.kind = %3$L and c.player_key = d.player_key and c.value_cents = d.value_cents
      and c.platforms = d.platforms and c.from_at = d.from_at
    $sql$,
    case TG_OP when 'INSERT' then v_written when 'DELETE' then v_erased
      else v_written || ' union all ' || v_erased end,
    v_rows_max, TG_TABLE_NAME, TG_ARGV[0], TG_ARGV[1],
    case TG_TABLE_NAME when 'bet' then 'e.platform' else 'null' end);
  return null;
end $$;
