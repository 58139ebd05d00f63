-- The tables that an explanation reads, as they were known at a past time (behaviour §4). as-of-sql.ts puts this schema
-- first in the search path, so the queries for the present also work for the past. Tables without a view here have no
-- past state that matters. A migration that drops a column or changes its type must drop this schema first.
drop schema if exists as_of cascade;
create schema as_of;

-- The clocks for comparing windows, starts, ends, expiries and days.
create function as_of.statement_timestamp() returns timestamptz language sql stable
  return current_setting('as_of.instant')::timestamptz;
create function as_of.clock_timestamp() returns timestamptz language sql stable
  return as_of.statement_timestamp();

-- Returns the last of these actions on one of the objects, by the audit log.
create function as_of.last_act(type text, objects text[], acts text) returns text language sql stable
  return (
    select l.action from public.audit_log l
    where l.object_type = type and l.object_id = any(objects) and l.action ~ acts
      and l.outcome = 'done' and l.at <= as_of.statement_timestamp()
    order by l.id desc limit 1
  );

-- A row without a recorded arrival counts as arrived at its own time. These rows may be on other
-- machines, which know the settings of a transaction but not the functions of this schema.
create view as_of.deposit as
select t.id, t.order_no, t.player_key, t.amount_cents, t.channel, t.client, t.created_at, t.received_at,
  case when t.reversed_at <= current_setting('as_of.instant')::timestamptz then t.reversed_at end as reversed_at,
  case when t.reversed_at <= current_setting('as_of.instant')::timestamptz then t.reversal_reason end as reversal_reason
from public.deposit t where coalesce(t.received_at, t.created_at) <= current_setting('as_of.instant')::timestamptz;

create view as_of.bet as
select t.id, t.bet_no, t.player_key, t.valid_bet_cents, t.platform, t.created_at, t.received_at,
  case when t.voided_at <= current_setting('as_of.instant')::timestamptz then t.voided_at end as voided_at,
  case when t.voided_at <= current_setting('as_of.instant')::timestamptz then t.void_reason end as void_reason
from public.bet t where coalesce(t.received_at, t.created_at) <= current_setting('as_of.instant')::timestamptz;

-- Chunks contain no arrival times of their rows, so the past has no chunks.
create view as_of.event_chunk as
select * from public.event_chunk where false;

create view as_of.draw_record as
select * from public.draw_record where created_at <= as_of.statement_timestamp();

create view as_of.extra_time_taken_back as
select * from public.extra_time_taken_back where taken_back_at <= as_of.statement_timestamp();

create view as_of.extra_time as
select t.id, t.player_key, t.tag, t.expire_time, r.id as used_log_id, r.rounds_id as used_rounds_id
from public.extra_time t
left join as_of.draw_record r on r.id = t.used_log_id and r.rounds_id = t.used_rounds_id
where t.created_at <= as_of.statement_timestamp()
union all
select t.id, t.player_key, t.tag, t.expire_time, null, null
from public.extra_time_taken_back t
where t.created_at <= as_of.statement_timestamp() and t.taken_back_at > as_of.statement_timestamp();

create view as_of.exclusion as
select e.id, e.player_key, e.kind, e.reason, e.source, e.until, e.made_by, e.made_at,
  case when e.lifted_at <= as_of.statement_timestamp() then e.lifted_at end as lifted_at
from public.exclusion e where e.made_at <= as_of.statement_timestamp();

-- The start is known only for a block that is still in force.
create view as_of.player as
select p.player_key, p.player_id, p.user_name, p.user_name_key, p.version, p.created_at,
  coalesce(p.blocked_at <= as_of.statement_timestamp(), false) as blocked,
  case when p.blocked_at <= as_of.statement_timestamp() then p.blocked_at end as blocked_at
from public.player p where p.created_at <= as_of.statement_timestamp();

-- The rule that was in force at that time. Both ids are compared, so that a search by id reads one round.
create view as_of.activity as
select r.*
from public.activity a
cross join lateral (
  select * from public.activity_rule v
  where v.rounds_id = a.id and v.created_at <= as_of.statement_timestamp()
  order by v.version desc limit 1
) v
cross join lateral jsonb_populate_record(null::public.activity, v.rule || jsonb_build_object(
  'id', a.id, 'version', v.version, 'start_date', a.start_date, 'created_at', a.created_at,
  'rounds_status',
    case as_of.last_act('activity', array[a.id::text], '^(pause|resume)_') when 'pause_activity' then 0 else 1 end,
  'deleted_at', case when a.deleted_at <= as_of.statement_timestamp() then a.deleted_at end)) r
where r.id = a.id;

create view as_of.stop_switch as
select 'draws' as name, null::integer as pool_id
where as_of.last_act('stop_switch', '{draws,everything}', '^(stop|start)_') like 'stop%'
union all
select 'pool', p.id from public.pool p
where as_of.last_act('pool', array[p.id::text], '^(stop|start)_') like 'stop%';
