-- The audit log becomes a list as the others: ids tell the time (players/event-sql.ts), rollups count its rows by who
-- and by what (players/rollup-rows.sql), and a row names every object that it is about. Filling reads the log once.
set local statement_timeout = 0;

lock table audit_log in share row exclusive mode;
select pg_advisory_xact_lock(hashtext('rollup_fold'));

alter table audit_log alter column id drop identity;
create sequence audit_slot as integer minvalue 0 maxvalue 16383 cycle;
update audit_log l set id = x.id
from (
  select id as was,
    (floor(extract(epoch from at) * 1000)::bigint - 1577836800000) * 16384
      + row_number() over (partition by floor(extract(epoch from at) * 1000) order by id) - 1 as id
  from audit_log
) x
where l.id = x.was;
create index audit_log__request on audit_log (request_id) where request_id is not null;

-- The other objects of a row: prizes of a pool, records of a batch, players by their key.
create table audit_about (
  object_type text collate "C" not null,
  object_id text collate "C" not null,
  audit_id bigint not null references audit_log (id) on update cascade on delete cascade,
  primary key (object_type, object_id, audit_id)
);
create index audit_about__audit on audit_about (audit_id);

-- The codes under which the rollups of the log count: hashes of 64 bits, so that nothing has to be numbered.
create function audit_code(p_text text) returns bigint
language sql immutable strict as $$ select hashtextextended(p_text, 0) $$;

do $$
begin
  execute replace(pg_get_functiondef('rollup_rows(text, text)'::regprocedure), 'case p_list', $case$case p_list
      when 'audit_log' then
        'select r.minute, a.code as a, b.code as b, r.n, 0::bigint as cents
         from (
           select id / 983040000 as minute, actor_kind, actor, object_type, action, outcome, count(*) as n
           from %s group by 1, 2, 3, 4, 5, 6
         ) r
         cross join lateral (values (0::bigint), (audit_code(actor_kind)), (audit_code(actor_kind || '':'' || actor))) a (code)
         cross join lateral (values (0::bigint), (audit_code(object_type)), (audit_code(outcome)),
           (audit_code(object_type || '' '' || action || '' '' || outcome))) b (code)'$case$);
end $$;

create trigger rollup_insert after insert on audit_log
  referencing new table as new_rows for each statement execute function rollup_change();
create trigger rollup_update after update on audit_log
  referencing old table as old_rows new table as new_rows for each statement execute function rollup_change();
create trigger rollup_delete after delete on audit_log
  referencing old table as old_rows for each statement execute function rollup_change();
create trigger rollup_truncate after truncate on audit_log for each statement execute function rollup_change();

do $$
begin
  execute format(
    'with minutes as (
       select minute, a, b, sum(n) as n, sum(cents) as cents from (%s) r group by minute, a, b
     )
     insert into rollup (list, width, start, a, b, n, cents)
     select ''audit_log'', width, minute - minute %% width as start, a, b, sum(n), sum(cents)
     from minutes cross join (values (1), (60), (1440)) w (width)
     group by width, start, a, b
     order by width, start, a, b',
    rollup_rows('audit_log', 'audit_log'));
end $$;

-- Rows are sealed as records are (docs/security.md), in a chain of their own. What may name a player is sealed as a
-- commitment; when a player is erased it stays, and the salt that leads to it goes.
do $$
begin
  if exists (select from seal where root is null) then
    raise exception 'records were sealed in a former way: install the release before this one, and run its redctl reseal';
  end if;
end $$;
alter table seal alter column root set not null, validate constraint seal__root_length;
create table audit_seal (like seal including all);
alter table audit_log add column reason text, add column salt uuid default gen_random_uuid(), add column commitment bytea,
  add constraint audit_log__commitment check ((salt is null) = (commitment is not null) and octet_length(commitment) = 32);

create function audit_texts(l audit_log) returns text
language sql stable as $$ select jsonb_build_array(l.object_id, l.before, l.after, l.reason)::text $$;

create function audit_commitment(l audit_log) returns bytea
language sql stable as $$
  select coalesce(l.commitment, sha256(uuid_send(l.salt) || convert_to(audit_texts(l), 'UTF8')))
$$;

create function audit_hash(l audit_log) returns bytea
language sql stable as $$
  select sha256(convert_to(jsonb_build_array(l.id, (extract(epoch from l.at) * 1000000)::bigint, l.actor_kind, l.actor,
    l.action, l.object_type, l.outcome, l.request_id, l.address, encode(audit_commitment(l), 'hex'))::text, 'UTF8'))
$$;

create function audit_cut() returns trigger language plpgsql as $$
begin
  new.commitment := audit_commitment(old);
  new.salt := null;
  return new;
end $$;
create trigger audit_cut before update on audit_log
  for each row when (audit_texts(old) <> audit_texts(new)) execute function audit_cut();
