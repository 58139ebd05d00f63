-- It answers one thing more from now on: whether another process draws for the same players.
drop function if exists draw_commit(integer, integer, integer, integer, bigint[], bigint[], integer[], bigint[], text[],
  text[], text[], text[], bigint[], integer[], bigint[], integer[], bigint[], bigint[], text[], integer[], boolean[],
  boolean[]);
