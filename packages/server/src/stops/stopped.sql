-- Whether draws from this pool are stopped; stays so until the transaction ends. A change of a switch takes
-- the same lock exclusively: it waits for draws in flight, and later draws see what it has written. An
-- advisory lock instead of a row lock, so that draws write no hot row.
create or replace function draws_stopped(p_pool_id integer) returns boolean
language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('stop_switch draws', 0));
  -- A separate statement, so that it sees what was committed while the lock was awaited.
  return exists (
    select from stop_switch
    where name = 'draws' or (name = 'pool' and pool_id = p_pool_id)
  );
end $$;

-- The same for a claim of payouts.
create or replace function payouts_stopped() returns boolean
language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('stop_switch payouts', 0));
  return exists (select from stop_switch where name = 'payouts');
end $$;
