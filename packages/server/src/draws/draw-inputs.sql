-- Returns all inputs of a batch of draws, in one view of the database: earlier answers to its
-- requests, the round with its players (chance_inputs, which explains the settings and limits), the
-- version and prizes of the pool, and whether its draws are stopped.
create or replace function draw_inputs(
  p_rounds_id bigint,
  p_keys text[],
  p_request_ids text[],
  p_player_ids text[],
  p_days timestamptz[]
) returns table (
  answered jsonb, round jsonb, players text, pool_version integer, prizes jsonb, is_stopped boolean
)
language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_sort = off as $$
begin
  return query
  select
    (
      select jsonb_agg(jsonb_build_object('key', q.key, 'request_id', q.request_id,
        'body_hash', encode(q.body_hash, 'hex'), 'log_id', q.log_id, 'trans_sn', o.trans_sn,
        'rounds_id', q.rounds_id, 'award_name', r.award_name, 'award_price_cents', r.award_price_cents,
        'created_at', r.created_at))
      from unnest(p_keys, p_request_ids) as asked (key, request_id)
      cross join lateral (
        select * from draw_request d
        where d.key = asked.key and d.request_id = asked.request_id limit 1
      ) q
      cross join lateral (
        select * from draw_record d where d.id = q.log_id and d.rounds_id = q.rounds_id limit 1
      ) r
      cross join lateral (
        select p.trans_sn from payout p where p.log_id = q.log_id limit 1
      ) o
    ),
    i.round, i.players, p.version,
    (
      select jsonb_agg(jsonb_build_object('id', z.id, 'award_name', z.award_name,
        'award_price_cents', z.award_price_cents, 'weight', z.weight, 'floors', z.floors,
        'left', z.award_total - z.drawn) order by z.id)
      from prize z where z.pool_id = p.id and z.deleted_at is null
    ),
    exists (
      select from stop_switch s
      where s.name = 'draws' or (s.name = 'pool' and s.pool_id = p.id)
    )
  from (select) as nothing
  left join chance_inputs(p_rounds_id, p_player_ids, p_days) i on true
  left join pool p on p.id = (i.round ->> 'pool_id')::integer;
end $$;
