-- Returns whether draws from this pool are stopped. A shared lock keeps this answer valid until the transaction
-- ends: changing a switch takes the exclusive lock, so it waits for running draws, and later draws see the change.
-- The lock is an advisory lock and not a row lock, so draws do not all write to one row.
create or replace function draws_stopped(p_pool_id integer) returns boolean
language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('stop_switch draws', 0));
  -- This must be a separate statement, so that it sees changes committed while this transaction waited for the lock.
  return exists (
    select from stop_switch
    where name = 'draws' or (name = 'pool' and pool_id = p_pool_id)
  );
end $$;

-- Returns whether payouts are stopped, with a shared lock as in draws_stopped.
create or replace function payouts_stopped() returns boolean
language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('stop_switch payouts', 0));
  return exists (select from stop_switch where name = 'payouts');
end $$;
