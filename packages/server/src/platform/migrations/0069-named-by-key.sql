-- Rows that hold references to players instead of their names: erasing rewrites none of them, and their seal allows it
-- of none. Rows of the release before say `false`, and keep their seal.
alter table audit_log add column by_key boolean not null default false;

create or replace function audit_hash(l audit_log) returns bytea
language sql stable as $$
  select sha256(convert_to((jsonb_build_array(l.id, (extract(epoch from l.at) * 1000000)::bigint, l.actor_kind, l.actor,
    l.action, l.object_type, l.outcome, l.request_id, l.address, encode(
      case when l.by_key then sha256(uuid_send(l.salt) || convert_to(audit_texts(l), 'UTF8'))
        else audit_commitment(l) end, 'hex'))
    || case when l.by_key then '["by_key"]'::jsonb else '[]'::jsonb end)::text, 'UTF8'))
$$;

create or replace function audit_cut() returns trigger language plpgsql as $$
begin
  if old.by_key then
    raise exception 'row % of the audit log names players by key', old.id
      using errcode = 'check_violation', constraint = 'audit_log__by_key';
  end if;
  new.commitment := audit_commitment(old);
  new.salt := null;
  return new;
end $$;
