-- `version` is raised by everything that changes a player's chances; this one by all of it but rows that can only add to
-- them (docs/decisions/0020-path-of-a-draw.md). A draw on a chance that was there before them stands.
alter table player add column draw_version bigint not null default 0;

-- It has one parameter more from now on.
drop function if exists draw_commit(integer, integer, integer, integer, bigint[], bigint[], integer[], text[], text[],
  text[], text[], bigint[], integer[], bigint[], integer[], bigint[], bigint[], text[], integer[], boolean[], boolean[]);
