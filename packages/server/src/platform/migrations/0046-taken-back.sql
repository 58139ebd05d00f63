-- The list of a batch shows what was taken back of it.
create index extra_time_taken_back__batch on extra_time_taken_back (batch_id, id) where batch_id is not null;
