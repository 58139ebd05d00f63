/** Gives a preset in-site message code another label (behaviour §3). */
import { AppError } from "@red/contract/errors";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { lockMessageCode, updateMessageCode } from "./message-code-sql.ts";
import type { MessageCode } from "./message-code-sql.ts";

/** Changes the label; the code, which activities hold, stays. Throws red_code_not_found. */
export async function renameMessageCode(tx: Tx, actor: Actor, code: MessageCode): Promise<void> {
  const before = await lockMessageCode(tx, code.red_code);
  if (before === null) {
    throw new AppError("red_code_not_found");
  }
  await updateMessageCode(tx, code);
  await insertAudit(tx, actor, {
    action: "rename_message_code",
    object_type: "message_code",
    object_id: code.red_code,
    before,
    after: code,
  });
}
