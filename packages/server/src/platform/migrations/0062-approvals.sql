-- Changes that wait for a second person (behaviour §16).
-- Whoever signed had acted in the round, and nobody else could sign.
alter table sheet_sign_off add column is_alone boolean not null default false;

alter table setting drop constraint setting__value, add constraint setting__value check (case
  when key = 'guard_sum' then value ~ '^(0|[1-9][0-9]{0,9})[.][0-9]{2}$'
  when key in ('band_reason', 'band_second') then value ~ '^(off|(0|[1-9][0-9]{0,9})[.][0-9]{2})$'
  else key = 'guard_programs' and value in ('on', 'off') end);

create table approval (
  id bigint generated always as identity primary key,
  -- Method and path of the call, and what came with it but for the one-time code.
  call text not null,
  input jsonb not null,
  file bytea,
  maker_id bigint references operator (id),
  made_by text not null,
  made_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  reason text not null check (reason <> ''),
  risk_cents bigint not null check (risk_cents >= 0),
  plan jsonb not null,
  state text not null default 'waiting'
    check (state in ('waiting', 'done', 'refused', 'withdrawn', 'differs')),
  decided_by text,
  decider_id bigint references operator (id),
  decided_at timestamptz,
  note text,
  constraint approval__whole check ((state = 'waiting') = (decided_at is null)),
  -- Nobody approves their own change.
  constraint approval__not_own check (state <> 'done' or (decider_id is not null and decider_id is distinct from maker_id))
);
create index approval__waiting on approval (expires_at) where state = 'waiting';
create index approval__maker on approval (maker_id, decided_at);

-- What was decided stays decided: nothing runs twice.
create function approval_once() returns trigger language plpgsql as $$
begin
  raise exception 'approval % was decided', old.id using errcode = 'check_violation', constraint = 'approval__once';
end $$;
create trigger approval_once before update of state on approval
  for each row when (old.state <> 'waiting') execute function approval_once();
