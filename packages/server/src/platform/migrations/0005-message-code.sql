-- Preset in-site message codes: what the activity form offers for `red_code`, which stays free text.
create table message_code (
  red_code text not null constraint message_code__code_unique primary key,
  label text not null
);
