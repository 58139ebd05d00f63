-- What the address answered when it last took nothing; of interest while it fails.
alter table webhook add column last_answer text;
