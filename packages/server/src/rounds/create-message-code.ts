/** Adds a preset in-site message code (behaviour §3). */
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import { inTransaction } from "#platform/connection";
import type { Db, Tx } from "#platform/connection";
import { insertMessageCode, insertMissingMessageCode } from "./message-code-sql.ts";
import type { MessageCode } from "./message-code-sql.ts";

const SYSTEM: Actor = { kind: "system", name: "start", request_id: null, address: null };
const DEFAULT_LABEL = "默认站内信";

function entryOf(code: MessageCode) {
  return {
    action: "create_message_code",
    object_type: "message_code",
    object_id: code.red_code,
    after: code,
  };
}

/** Adds a preset code; the constraint tells a taken one. */
export async function createMessageCode(tx: Tx, actor: Actor, code: MessageCode): Promise<void> {
  await insertMessageCode(tx, code);
  await insertAudit(tx, actor, entryOf(code));
}

/** Makes sure that the code with which the activity form starts is among the preset ones. */
export async function ensureDefaultMessageCode(db: Db, red_code: string): Promise<void> {
  const code = { red_code, label: DEFAULT_LABEL };
  await inTransaction(db, async (tx) => {
    if (await insertMissingMessageCode(tx, code)) {
      await insertAudit(tx, SYSTEM, entryOf(code));
    }
  });
}
