-- Builds the statement that updates the chunks of heavy players (event-chunk-sql.ts) after rows of p_kind were
-- `written` or `erased`. The transactions that write rows or create chunks have already locked the players. The
-- statement deletes a chunk that grew too large or lost its largest amount; the next reader requests it again.
create or replace function event_chunk_sql(p_kind text, p_is_written boolean, p_is_erased boolean) returns text
language plpgsql immutable as $$
declare
  v_rows_max constant integer := 2000;
  v_change constant text := case p_kind
    when 'bet' then 'select %s as sign, player_key, created_at, valid_bet_cents as cents, voided_at is null as counts,
      platform from %I'
    else 'select %s as sign, player_key, created_at, amount_cents as cents, reversed_at is null as counts,
      null::smallint as platform from %I' end;
begin
  return format(
    $sql$
    change as (%1$s),
    delta as (
      select h.player_key, h.value_cents, h.platforms, c.from_at,
        sum(sign) filter (where counts) as live,
        sum(sign * cents) filter (where counts) as live_cents,
        max(cents) filter (where counts) as max_cents,
        sum(sign * (cents / h.value_cents)) filter (where counts) as fulls,
        sum(sign) filter (where not counts) as gone,
        sum(sign * cents) filter (where not counts) as gone_cents,
        max(c.live + c.gone) + sum(sign) > %2$s
          or coalesce(max(cents) filter (where counts and sign < 0) >= max(c.max_cents), false) as is_over
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
      where d.is_over and c.kind = %3$L and c.player_key = d.player_key and c.value_cents = d.value_cents
        and c.platforms = d.platforms and c.from_at = d.from_at
    )
    update event_chunk c set
      live = c.live + coalesce(d.live, 0),
      live_cents = c.live_cents + coalesce(d.live_cents, 0),
      max_cents = greatest(c.max_cents, d.max_cents),
      fulls = c.fulls + coalesce(d.fulls, 0),
      gone = c.gone + coalesce(d.gone, 0),
      gone_cents = c.gone_cents + coalesce(d.gone_cents, 0)
    from delta d
    where not d.is_over and c.kind = %3$L and c.player_key = d.player_key and c.value_cents = d.value_cents
      and c.platforms = d.platforms and c.from_at = d.from_at
    $sql$,
    concat_ws(' union all ', case when p_is_written then format(v_change, '1', 'written') end,
      case when p_is_erased then format(v_change, '-1', 'erased') end),
    v_rows_max, p_kind);
end $$;

create or replace function adjust_event_chunk() returns trigger
language plpgsql set enable_seqscan = off as $$
begin
  if TG_OP = 'INSERT' then
    -- Nearly all calls end here: their players have no chunks, or only older chunks. The limit and
    -- the setting force one index look-up per player instead of a scan of the whole table.
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
  execute 'with ' || event_chunk_sql(TG_TABLE_NAME, TG_OP <> 'DELETE', TG_OP <> 'INSERT');
  return null;
end $$;

-- Counts rows written to p_kind or erased from it, given as JSON arrays. Used when the rows are on
-- other machines, where triggers are not possible.
create or replace function count_events(p_kind text, p_written jsonb, p_erased jsonb) returns void
language plpgsql set enable_seqscan = off as $$
declare
  v_rows constant text := format(
    'with written as materialized (select * from jsonb_populate_recordset(null::public.%1$I, $1)),
     erased as materialized (select * from jsonb_populate_recordset(null::public.%1$I, $2)) ', p_kind);
begin
  execute v_rows || rollup_change_sql(p_kind, 'written', 'erased') using p_written, p_erased;
  execute rtrim(v_rows) || ', ' || event_chunk_sql(p_kind, true, true) using p_written, p_erased;
end $$;
