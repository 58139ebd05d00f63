import { makeMonths } from "./make-months.ts";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { expect, test } from "vitest";

const t = useTestDb();

test("this month and the next are made ahead, once however many processes do it", async () => {
  const made = await Promise.all([makeMonths(t.db), makeMonths(t.db)]);
  expect(Math.max(...made.map(({ months }) => months))).toBe(4);
  expect(await makeMonths(t.db)).toEqual({ months: 0 });
  const { rows } = await sql<{ parts: number }>`
    select count(*) as parts from pg_inherits i join pg_class p on p.oid = i.inhrelid
    where p.relname in (select kind || to_char(now() at time zone 'UTC' + ahead, '_YYYYMM')
      from unnest(array['deposit', 'bet']) as kind, unnest(array[interval '0', '1 month']) as ahead)
    `.execute(t.db);
  expect(rows).toEqual([{ parts: 4 }]);
});
