-- Chunks are half as large now (players/event-chunk-sql.ts). A reader would ask for larger ones to be made again each
-- time; deleting them costs the next reader of a heavy player some time, once.
delete from event_chunk;
