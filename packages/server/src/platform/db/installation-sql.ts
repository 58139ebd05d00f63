import type { Db, Tx } from "./connection.ts";

export type Fact = "secret_key" | "demo";

export async function selectFact(db: Db, name: Fact): Promise<string | null> {
  const row = await db
    .selectFrom("installation")
    .select("value")
    .where("name", "=", name)
    .executeTakeFirst();
  return row?.value ?? null;
}

/** Writes a fact once. Returns false if the fact already has a value. */
export async function insertFact(tx: Tx, name: Fact, value: string): Promise<boolean> {
  const result = await tx
    .insertInto("installation")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}
