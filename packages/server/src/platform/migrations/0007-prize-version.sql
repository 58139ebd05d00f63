-- Raised by every change of what an operator configures, never by a draw: a form that was opened before
-- somebody added stock must not put the old total back.
alter table prize add column version integer not null default 1;
