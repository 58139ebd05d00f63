/** Preset in-site message codes: what the activity form offers for `red_code`. */
import type { Db, Tx } from "#platform/connection";

export interface MessageCode {
  readonly red_code: string;
  readonly label: string;
}

/** Every preset code, in order. */
export async function selectMessageCodes(db: Db): Promise<MessageCode[]> {
  return await db
    .selectFrom("message_code")
    .select(["red_code", "label"])
    .orderBy("red_code")
    .execute();
}

/** Adds a code; its being taken is a violation of message_code__code_unique. */
export async function insertMessageCode(tx: Tx, code: MessageCode): Promise<void> {
  await tx.insertInto("message_code").values(code).execute();
}

/** Adds a code unless it is there; false when it was. */
export async function insertMissingMessageCode(tx: Tx, code: MessageCode): Promise<boolean> {
  const added = await tx
    .insertInto("message_code")
    .values(code)
    .onConflict((conflict) => conflict.column("red_code").doNothing())
    .returning("red_code")
    .executeTakeFirst();
  return added !== undefined;
}

/** Locks a code for a change of its label; null when there is none. */
export async function lockMessageCode(tx: Tx, red_code: string): Promise<MessageCode | null> {
  const row = await tx
    .selectFrom("message_code")
    .select(["red_code", "label"])
    .where("red_code", "=", red_code)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Gives a locked code another label. */
export async function updateMessageCode(tx: Tx, { red_code, label }: MessageCode): Promise<void> {
  await tx.updateTable("message_code").set({ label }).where("red_code", "=", red_code).execute();
}
