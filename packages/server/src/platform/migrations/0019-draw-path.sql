-- Draws hold their round by an advisory lock now (draws/draw-commit.sql): an older program would hold its row
-- and not be waited for. The function has other parameters, so the older one goes.
drop function if exists draw_commit(integer, integer, integer, integer, text[], text[], bytea[], text[], bigint[],
  bigint[], integer[], bigint[], integer[], bigint[], bigint[], text[], integer[], integer[], boolean[], boolean[]);

-- Most draws use no extra time; a partial index holds only those that do.
alter table draw_record drop constraint draw_record__extra_time_unique;
create unique index draw_record__extra_time_unique on draw_record (extra_time_id, rounds_id)
  where extra_time_id is not null;
