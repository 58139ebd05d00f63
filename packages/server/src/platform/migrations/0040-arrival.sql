-- When a deposit or bet reached us; null for those that came before this. Reversals and voids have had theirs from the
-- start: reversed_at and voided_at are the database's time of writing.
alter table deposit add column received_at timestamptz;
alter table bet add column received_at timestamptz;

-- What is written after a wait for a lock was not there while the transaction waited.
alter table activity_rule alter column created_at set default clock_timestamp();
alter table extra_time alter column created_at set default statement_timestamp();
