/** Adds and renames activity groups and preset codes of in-site messages (behaviour §3). */
import { AppError, found } from "@red/contract/platform/errors";
import { AT_START, insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import { inTransaction } from "#platform/db/connection";
import type { Db, Tx } from "#platform/db/connection";
import { insertLookup, lockLookup, updateLookup } from "./lookup-sql.ts";
import type { LookupKind, LookupRow } from "./lookup-sql.ts";

const WORDS = {
  tag: { object_type: "tag", taken: "tag_taken", missing: "tag_not_found" },
  red_code: { object_type: "message_code", taken: "red_code_taken", missing: "red_code_not_found" },
} as const;

const DEFAULT_LABEL = "默认站内信";

function creation<K extends LookupKind>(kind: K, row: LookupRow<K>) {
  const { object_type } = WORDS[kind];
  return { action: `create_${object_type}`, object_type, object_id: row[kind], after: row };
}

export async function createLookup<K extends LookupKind>(
  tx: Tx,
  actor: Actor,
  kind: K,
  row: LookupRow<K>,
): Promise<void> {
  if (!(await insertLookup(tx, kind, row))) {
    throw new AppError(WORDS[kind].taken);
  }
  await insertAudit(tx, actor, creation(kind, row));
}

/** Changes the label. The key stays, because rounds refer to it. Throws the `…_not_found` error of the kind. */
export async function renameLookup<K extends LookupKind>(
  tx: Tx,
  actor: Actor,
  kind: K,
  row: LookupRow<K>,
): Promise<void> {
  const { object_type, missing } = WORDS[kind];
  const before = found(await lockLookup(tx, kind, row[kind]), missing);
  await updateLookup(tx, kind, row);
  const action = `rename_${object_type}`;
  await insertAudit(tx, actor, { action, object_type, object_id: row[kind], before, after: row });
}

/** Inserts the default code of the activity form if it is not yet a preset. */
export async function ensureDefaultMessageCode(db: Db, red_code: string): Promise<void> {
  const row = { red_code, label: DEFAULT_LABEL };
  await inTransaction(db, async (tx) => {
    if (await insertLookup(tx, "red_code", row)) {
      await insertAudit(tx, AT_START, creation("red_code", row));
    }
  });
}
