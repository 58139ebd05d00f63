-- Locks a round: a draw takes a share lock until its commit, a change of the round takes an exclusive lock. An advisory
-- lock has a fair queue; with a row lock, a stream of draws could make a pause wait forever.
create or replace function hold_round(p_rounds_id bigint, p_alone boolean) returns void
language plpgsql as $$
begin
  if p_alone then
    perform pg_advisory_xact_lock(hashtextextended('round ' || p_rounds_id, 0));
  else
    perform pg_advisory_xact_lock_shared(hashtextextended('round ' || p_rounds_id, 0));
  end if;
end $$;
