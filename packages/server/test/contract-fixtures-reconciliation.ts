/** Fixtures of the reconciliation with the wallet's statement. */
import { trace } from "#test/contract-fixture";
import type { Fixture, World } from "#test/contract-fixture";
import { each, one } from "#test/contract-cases";
import { dateTime, idList } from "#test/contract-kinds-other";
import { trimmedText } from "#test/contract-kinds-text";
import type { Kind } from "#test/contract-cases";
import { sql } from "kysely";

const FROM = "2024-03-01 00:00:00";
const TO = "2024-03-31 23:59:59";

/** Beyond the ids that the tables of cases try as unknown ones. */
const FAR_ID = 1_000_000;

let made = 0;

/** A break that is open: the wallet lists what nobody here knows. */
async function openBreak({ db }: World): Promise<number> {
  made += 1;
  const { rows } = await sql<{ id: number }>`
    with run as (
      insert into reconciliation (from_at, to_at, source, made_by)
      values (now() - interval '1 day', now(), 'call', 'root-op') returning id
    )
    insert into reconciliation_break (id, reconciliation_id, kind, trans_sn, occurrence)
    overriding system value
    select ${FAR_ID + made}::int, id, 'extra', ${`stray-${made}`}, 1 from run
    returning id`.execute(db);
  return rows[0]?.id ?? 0;
}

/** How a break may be ended by an operator. */
const ENDS: Kind = [
  ...one("absent", null, { refuse: "not_in_set" }),
  ...each(["null", "7", '""', "[]", "{}", "true", '"resolved"', '"<script>"'], {
    refuse: "not_in_set",
  }),
  ...each(['"accepted"'], {}),
];

const NOT_OPEN = { against: "break_not_found", code: 409, words: "处理失败" } as const;

/** Fixtures of reconciliations by method and path. */
export const RECONCILIATION_FIXTURES: Readonly<Record<string, Fixture>> = {
  "POST /gred/api/reconciliation": {
    valid: async () => ({ body: { from: FROM, to: TO } }),
    fields: () => ({
      from: dateTime("choose_date_time", ["2024-02-29 00:00:00", FROM]),
      to: dateTime("choose_date_time", [FROM, TO]),
    }),
    trace: trace("reconcile", "reconciliation", "after"),
  },
  "POST /gred/api/reconciliation/upload": {
    valid: async () => ({
      form: {
        bytes: "trans_sn,amount,player_id,paid_at\nnobody-knows,1.00,p1,2024-03-02T00:00:00Z\n",
        filename: "statement.csv",
        fields: { from: FROM, to: TO },
      },
    }),
    trace: trace("reconcile", "reconciliation", "after"),
  },
  "PUT /gred/api/reconciliation/breaks": {
    valid: async (world) => ({
      body: { ids: [await openBreak(world)], end: "accepted", reason: "退款已核对" },
    }),
    fields: () => ({
      ids: idList({ missing: "choose_breaks", unknown: NOT_OPEN }),
      end: ENDS,
      reason: trimmedText({ max: 200, missing: "enter_mend_reason" }),
    }),
    trace: trace("mend_break", "reconciliation_break", "before", "after"),
  },
};
