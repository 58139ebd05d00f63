-- What operators change while the installation runs; without a row the default holds.
create table setting (
  key text primary key,
  value text not null,
  changed_by text not null,
  changed_at timestamptz not null default now(),
  constraint setting__value check (
    case key
      when 'guard_sum' then value ~ '^(0|[1-9][0-9]{0,9})[.][0-9]{2}$'
      else key = 'guard_programs' and value in ('on', 'off')
    end
  )
);
