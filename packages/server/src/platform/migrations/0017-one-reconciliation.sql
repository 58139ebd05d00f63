-- A reconciliation is written as a whole once its statement was read (docs/decisions/0011-one-reconciliation.md).

create index reconciliation_break__run on reconciliation_break (reconciliation_id);
create index wallet_entry__paid_at on wallet_entry (paid_at);

-- An entry is the newest word about its number, whichever reading brought it; all readings are whole.
alter table wallet_entry drop column reconciliation_id;
delete from reconciliation where finished_at is null;
alter table reconciliation drop column finished_at;
