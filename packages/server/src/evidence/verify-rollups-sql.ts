/** Checks that rollups count the rows of their list (behaviour §11). */
import { sql } from "kysely";
import { ROLLED_UP } from "#platform/rollups/rollup-sql";
import type { RolledUp } from "#platform/rollups/rollup-sql";
import type { Db } from "#platform/db/connection";
import { firstOffence } from "#platform/db/snapshot";
import type { Offence } from "#platform/db/snapshot";

async function selectOffence(snapshot: Db, list: RolledUp): Promise<Offence | null> {
  const { rows } = await sql<{ text: string }>`
    select rollup_rows(${list}, ${list}) as text`.execute(snapshot);
  const counted = sql.raw(rows.map((row) => row.text).join(""));
  const search = firstOffence("rollup")`
    with minutes as (
      select minute, a, b, sum(n) as n, sum(cents) as cents from (${counted}) r group by 1, 2, 3
    ),
    widths as (select * from (values (1), (60), (1440)) w (width)),
    expected as (
      select width, minute - minute % width as start, a, b, sum(n) as n, sum(cents) as cents
      from minutes cross join widths group by 1, 2, 3, 4
    ),
    found as (
      select width, start, a, b, sum(n) as n, sum(cents) as cents
      from (
        select width, start, a, b, n, cents from rollup where list = ${list}
        union all
        select width, minute - minute % width, a, b, n, cents
        from rollup_delta cross join widths where list = ${list}
      ) r
      group by 1, 2, 3, 4
    )
    select array[width, start] as place,
      jsonb_build_object('list', ${list}::text, 'width', width, 'start', start, 'a', a, 'b', b,
        'at', case when ${list}::text <> 'extra_time'
          then timestamptz '2020-01-01 00:00+00' + start * interval '1 minute' end) as ids,
      jsonb_build_object('n', coalesce(e.n, 0), 'cents', coalesce(e.cents, 0)) as expected,
      jsonb_build_object('n', coalesce(f.n, 0), 'cents', coalesce(f.cents, 0)) as found
    from expected e full join found f using (width, start, a, b)
    where coalesce(e.n, 0) <> coalesce(f.n, 0) or coalesce(e.cents, 0) <> coalesce(f.cents, 0)`;
  return await search(snapshot);
}

/** Reports the first minute, hour or day with a wrong count. */
export async function selectMiscountedRollup(snapshot: Db): Promise<Offence | null> {
  for (const list of ROLLED_UP) {
    const offence = await selectOffence(snapshot, list);
    if (offence !== null) {
      return offence;
    }
  }
  return null;
}
