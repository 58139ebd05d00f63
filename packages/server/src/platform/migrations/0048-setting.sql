-- Settings that operators change while the installation runs; one without a row has its default.
create table setting (
  key text primary key,
  value text not null,
  changed_by text not null,
  changed_at timestamptz not null default now(),
  constraint setting__value check (
    case key
      when 'guard_sum' then value ~ '^(0|[1-9][0-9]{0,9})[.][0-9]{2}$'
      when 'guard_programs' then value in ('on', 'off')
      else false
    end
  )
);
