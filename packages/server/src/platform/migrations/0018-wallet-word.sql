-- The wallet's later word: a scope of its own, and asked about where it contradicts a refusal.

alter table api_key
  drop constraint api_key__scopes,
  add constraint api_key__scopes check (scopes <@ '{ingest,draw,read,wallet}' and scopes <> '{}');

alter table payout
  -- What it was when something put that in doubt, with its reasons kept. The wallet is asked: unless it
  -- has paid, that is what the payout is again. Never queued, so never sent, before somebody re-issues it.
  add column contested_state text,
  -- The check_reason that it had then: meanwhile it may wait for people for another one.
  add column contested_check_reason text,
  drop constraint payout__refused_why,
  add constraint payout__refused_why check (
    case coalesce(contested_state, state)
      when 'refused' then fail_reason is not null
      when 'closed' then fail_reason is not null or check_reason is not null
      else true
    end
  ),
  drop constraint payout__check_why,
  add constraint payout__check_why check (
    case
      when check_reason is null then state <> 'check'
      else check_reason in ('unanswered', 'past_retention')
        and (state in ('check', 'closed') or contested_state = 'closed')
    end
  ),
  add constraint payout__contested check (
    contested_state in ('refused', 'closed') and state in ('sending', 'unknown', 'check')
    or contested_state is null and contested_check_reason is null
  );
