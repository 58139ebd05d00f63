-- Are draws from this pool stopped? Keeps it so until the transaction ends: whoever changes a switch
-- takes the same lock for itself, hence waits for the draws in flight, and those that come after it see
-- what it has written. A lock of its own instead of a row's, so that draws write nothing hot.
create or replace function draws_stopped(p_pool_id integer) returns boolean
language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('stop_switch draws', 0));
  -- A statement of its own, which sees what was committed while the lock was waited for.
  return exists (
    select from stop_switch
    where name = 'draws' or (name = 'pool' and pool_id = p_pool_id)
  );
end $$;

-- The same for payouts that are about to be claimed.
create or replace function payouts_stopped() returns boolean
language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('stop_switch payouts', 0));
  return exists (select from stop_switch where name = 'payouts');
end $$;
