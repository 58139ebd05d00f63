-- Raises the versions of players, and answers those whose version was not the given one any more (null: not asked).
-- The settings make the update follow the order of the keys, so that transactions over the same players cannot deadlock.
create or replace function raise_players(p_keys bigint[], p_versions bigint[]) returns setof bigint
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
    with raised as (
      update player p set version = p.version + 1
      from (
        select k.player_key, min(k.version) as version
        from unnest(p_keys, p_versions) k (player_key, version)
        group by k.player_key order by k.player_key
      ) k
      where p.player_key = k.player_key
      returning p.player_key, p.version > k.version + 1 as has_changed
    )
    select r.player_key from raised r where r.has_changed;
end $$;
