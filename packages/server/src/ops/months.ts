/** Lists the months of deposits and bets, and detaches old months from their tables. */
import { columns } from "./command.ts";
import type { Call, Command, Report } from "./command.ts";
import { detachMonth, selectMonths } from "#events/detach-month";

async function list(call: Call): Promise<Report> {
  const months = await selectMonths(await call.open("current"));
  const rows = months.map(({ kind, month, bytes, is_detached }) => [
    kind,
    month.slice(0, 7),
    is_detached ? (bytes === 0 ? "dropped" : "detached") : "in use",
    `${(bytes / 2 ** 20).toFixed(1)} MiB`,
  ]);
  return { json: months, lines: columns(["kind", "month", "state", "size"], rows) };
}

async function detach(call: Call): Promise<Report> {
  const [kind, month] = [call.value("kind"), call.value("month")];
  if ((kind !== "deposit" && kind !== "bet") || !/^20\d\d-(0[1-9]|1[0-2])$/.test(month)) {
    throw new Error("give a month as 2026-01 and --kind deposit or bet");
  }
  const db = await call.open("current");
  const blocking = await detachMonth(db, call.actor, kind, `${month}-01`);
  const table = `detached.${kind}_${month.replace("-", "")}`;
  const isDone = blocking.length === 0;
  return {
    json: { detached: isDone ? table : null, blocking },
    lines: isDone
      ? [
          `${kind}s of ${month} are now in the table ${table}, which no backup holds`,
          `keep them: pg_dump --table ${table} --format custom --file ${table}.dump DATABASE_URL`,
          `then: psql DATABASE_URL --command "drop table ${table}"`,
        ]
      : [
          `not detached: ${blocking.length} round(s) can count ${kind}s of ${month} and are not over and signed`,
          ...blocking.map(({ id, rounds_name }) => `  ${id}  ${rounds_name}`),
        ],
    isFault: !isDone,
  };
}

export const monthCommands: readonly Command[] = [
  {
    name: "months list",
    summary: "months of deposits and bets, with their size",
    run: list,
  },
  {
    name: "months detach",
    summary: "take a past month out of its table, once all its rounds are signed",
    positional: "month",
    options: {
      month: { value: "YYYY-MM", help: "the month, in UTC", required: true },
      kind: { value: "KIND", help: "deposit or bet", required: true },
    },
    run: detach,
  },
];
