-- Sign-ins of an account and its wrong codes from new addresses, sought at each attempt, among any number of guesses.
create index audit_log__sign_ins on audit_log (object_id, id)
  where object_type = 'operator' and (outcome = 'done' or after ->> 'new_address' = 'true');
