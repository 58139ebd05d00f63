-- It has one parameter more from now on.
drop function if exists draws_of_day(bigint[], timestamptz[], timestamptz);
