-- Filters of a list that an operator has named.
create table saved_view (
  id bigint generated always as identity primary key,
  operator_id bigint not null references operator,
  page text not null,
  view_name text not null,
  -- The filters as in the address.
  search text not null,
  constraint saved_view__name_unique unique (operator_id, page, view_name)
);
