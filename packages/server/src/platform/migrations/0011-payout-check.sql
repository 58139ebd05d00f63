-- What the wallet may have forgotten, and what people have to look at.

alter table payout
  -- When it was sent for the first time. Longer ago than the wallet remembers, it is not sent again.
  add column first_sent_at timestamptz,
  -- Why somebody has to look at it; kept when it is closed without the wallet's word.
  add column check_reason text;

update payout p set first_sent_at = sent.first
from (select log_id, min(started_at) as first from payout_attempt where kind = 'pay' group by log_id) sent
where sent.log_id = p.log_id and p.state not in ('paid', 'delivered', 'waiting_delivery');
update payout set check_reason = 'unanswered' where state = 'check';

alter table payout
  drop constraint payout__refused_why,
  add constraint payout__refused_why check (
    case state
      when 'refused' then fail_reason is not null
      when 'closed' then fail_reason is not null or check_reason is not null
      else true
    end
  ),
  add constraint payout__check_why check (
    case
      when check_reason is null then state <> 'check'
      else check_reason in ('unanswered', 'past_retention') and state in ('check', 'closed')
    end
  );
