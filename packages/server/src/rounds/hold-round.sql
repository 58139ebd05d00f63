-- The lock of a round: draws hold it shared until their commit, a change of the round takes it alone. An advisory lock queues
-- fairly; with a row lock, a stream of draws would keep a pause waiting for ever.
create or replace function hold_round(p_rounds_id bigint, p_alone boolean) returns void
language plpgsql as $$
begin
  if p_alone then
    perform pg_advisory_xact_lock(hashtextextended('round ' || p_rounds_id, 0));
  else
    perform pg_advisory_xact_lock_shared(hashtextextended('round ' || p_rounds_id, 0));
  end if;
end $$;
