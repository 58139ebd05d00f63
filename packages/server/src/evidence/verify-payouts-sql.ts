/** Checks payouts against their records, and payout states against the attempts (behaviour §5, §6). */
import { AWARD_STATUS, STATUS_OF_STATE } from "@red/contract/platform/codes";
import { sql } from "kysely";
import { stateList } from "#platform/db/sql-parts";
import { firstOffence } from "#platform/db/snapshot";

const PHYSICAL = stateList(({ isPhysical }) => isPhysical);
const DONE = stateList(({ isDone }) => isDone);
/** States that only the wallet's answer, or an operator's decision about such an answer, can cause. */
const SENT = stateList(
  ({ isPhysical }, state) => !isPhysical && STATUS_OF_STATE[state] !== AWARD_STATUS.sending,
);

/** SQL: whether attempts of payout `p` were deleted by age (finance/delete-old-rows.ts). */
const IS_CUT = sql`(p.state in (${DONE}) and exists (select from round_cut k
  where k.rounds_id = p.rounds_id and k.what = 'attempts' and p.log_id < k.below_id))`;

/** Checks that every record has one payout and every payout has one record, with equal values. */
export const selectMismatchedPayout = firstOffence("payout")`
  select coalesce(r.id, p.log_id) as place,
    jsonb_build_object('log_id', coalesce(r.id, p.log_id)) as ids,
    case when r.id is not null then jsonb_build_object('rounds_id', r.rounds_id,
      'player_key', r.player_key, 'amount_cents', r.award_price_cents,
      'turnover', r.turnover, 'created_at', r.created_at, 'award_name', r.award_name) end as expected,
    case when p.log_id is not null then jsonb_build_object('rounds_id', p.rounds_id,
      'player_key', p.player_key, 'amount_cents', p.amount_cents,
      'turnover', p.turnover, 'created_at', p.created_at, 'award_name', p.award_name) end as found
  from draw_record r
  full join payout p on p.log_id = r.id
  where r.id is null or p.log_id is null or r.rounds_id <> p.rounds_id
    or r.player_key <> p.player_key or r.award_price_cents <> p.amount_cents
    or r.turnover <> p.turnover or r.created_at <> p.created_at
    -- Older payouts have no name.
    or r.award_name <> p.award_name`;

/** Checks that a payout has the message code of its record's rule. */
export const selectMiscodedPayout = firstOffence("payout")`
  select p.log_id as place, jsonb_build_object('log_id', p.log_id) as ids,
    jsonb_build_object('red_code', u.rule ->> 'red_code') as expected,
    jsonb_build_object('red_code', p.red_code) as found
  from payout p
  join draw_record r on r.id = p.log_id
  join activity_rule u on u.rounds_id = r.rounds_id and u.version = r.rule_version
  where u.rule ->> 'red_code' is distinct from p.red_code`;

/** Checks that a physical prize waits for delivery or is delivered. The wallet pays all other prizes. */
export const selectMisplacedPayout = firstOffence("payout")`
  select log_id as place, jsonb_build_object('log_id', log_id, 'state', state) as ids,
    jsonb_build_object('is_physical', amount_cents = 0) as expected,
    jsonb_build_object('is_physical', state in (${PHYSICAL})) as found
  from payout
  where (amount_cents = 0) <> (state in (${PHYSICAL}))`;

/**
 * Checks that a payout is paid exactly if the wallet reported "paid" in an answer or a callback, and refused only
 * if the wallet refused it. Both states need an earlier call of ours, because any holder of an API key can claim
 * a result; a query is enough, because a restored database may have lost the send. A paid or delivered payout
 * must have a time. Payouts whose attempts were deleted by age are skipped.
 */
export const selectUnfoundedState = firstOffence("payout")`
  select log_id as place, jsonb_build_object('log_id', log_id, 'state', state) as ids,
    jsonb_build_object('wallet_said_paid', state = 'paid',
      'wallet_said_refused', state = 'refused' or said_refused,
      'was_called', state in (${SENT}) or was_called,
      'has_paid_at', state in (${DONE})) as expected,
    jsonb_build_object('wallet_said_paid', said_paid, 'wallet_said_refused', said_refused,
      'was_called', was_called, 'has_paid_at', paid_at is not null) as found
  from (
    select p.log_id, p.state, p.paid_at, coalesce(a.said_paid, false) as said_paid,
      coalesce(a.said_refused, false) as said_refused, coalesce(a.was_called, false) as was_called
    from payout p
    left join (
      select log_id, bool_or(outcome = 'paid' or outcome like 'paid,%') as said_paid,
        bool_or(outcome = 'refused' or outcome like 'refused,%') as said_refused,
        bool_or(kind <> 'callback') as was_called
      from payout_attempt group by log_id
    ) a on a.log_id = p.log_id
    where not ${IS_CUT}
  ) heard
  where (state = 'paid') <> said_paid or (state = 'refused' and not said_refused)
    or (state in (${SENT}) and not was_called)
    or (state in (${DONE})) <> (paid_at is not null)`;

/**
 * Checks that a payout's attempts match its count and are numbered 1 … n, and that every attempt belongs to a payout.
 */
export const selectMiscountedAttempts = firstOffence("payout")`
  select coalesce(p.log_id, a.log_id) as place,
    jsonb_build_object('log_id', coalesce(p.log_id, a.log_id)) as ids,
    jsonb_build_object('attempts', coalesce(a.attempts, 0),
      'last_attempt', coalesce(a.attempts, 0)) as expected,
    jsonb_build_object('attempts', p.attempts,
      'last_attempt', coalesce(a.last, 0)) as found
  from payout p
  full join (
    select log_id, count(*) as attempts, max(no) as last from payout_attempt group by log_id
  ) a on a.log_id = p.log_id
  where (p.attempts is distinct from coalesce(a.attempts, 0)
    or coalesce(a.last, 0) <> coalesce(a.attempts, 0)) and ${IS_CUT} is not true`;
