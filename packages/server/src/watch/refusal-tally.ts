/**
 * Counts rejected draws in memory and adds the counts to the database every second. A killed process loses
 * its last second. While the database is down, counts stay in memory and are later stored under the minute
 * in which they arrive there.
 */
import type { ErrorKey } from "@red/contract/platform/errors";
import { sql } from "kysely";
import type { Db } from "#platform/db/connection";
import { startLoop } from "#platform/upkeep-job";
import type { Logger } from "pino";
import { THIS_MINUTE } from "./watch-sql.ts";

/** Adds counts to the current minute, and deletes minutes that no board shows. */
async function addRefusals(db: Db, counts: ReadonlyMap<string, number>): Promise<void> {
  const rows = [...counts].map(([name, count]) => [...name.split(" "), count]);
  // All processes insert in the same order, so they cannot deadlock.
  await sql`
    with old as (delete from draw_refusal_minute where minute < ${THIS_MINUTE} - 120)
    insert into draw_refusal_minute as m (rounds_id, minute, reason, count)
    select a.id, ${THIS_MINUTE}, c ->> 1, (c ->> 2)::bigint
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) c join activity a on a.id = (c ->> 0)::bigint
    order by 1, 3 on conflict (rounds_id, minute, reason) do update
      set count = m.count + excluded.count`.execute(db);
}

export function startTally(db: Db, log: Pick<Logger, "warn">) {
  let counts = new Map<string, number>();
  const count = (more: number, name: string) => counts.set(name, (counts.get(name) ?? 0) + more);
  async function flush(): Promise<number> {
    const taken = counts;
    counts = new Map();
    if (taken.size > 0) {
      await addRefusals(db, taken).catch((fault: unknown) => {
        taken.forEach(count);
        log.warn({ err: fault }, "refused draws not counted, trying again");
      });
    }
    return 1_000;
  }
  const loop = startLoop(flush);
  return {
    /** Ignores unknown rounds: they have no board, and made-up ids would fill the memory. */
    add: (rounds_id: number, reason: ErrorKey) =>
      void (reason !== "round_not_found" && count(1, `${rounds_id} ${reason}`)),
    stop: () => loop.stop().then(flush),
  };
}
