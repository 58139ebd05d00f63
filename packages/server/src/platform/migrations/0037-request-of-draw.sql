-- The requests of a player's last draws are read by the number of the record. A few pages per number, as the index had
-- them, are many for a page, and pages written since the last vacuum were not in it.
drop index draw_request__log;
create index draw_request__log on draw_request (log_id);
