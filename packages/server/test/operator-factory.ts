/** Operators for tests, and their authenticators' codes. */
import { randomBytes } from "node:crypto";
import { logIn } from "#identity/log-in";
import type { LogIn, LogInResult } from "#identity/log-in";
import { inTransaction } from "#platform/db/connection";
import { createOperator } from "#identity/change-operator";
import { selectOperator } from "#identity/operator-sql";
import type { SecretBox } from "#platform/secret-box";
import type { Actor } from "#platform/audit";
import type { Db } from "#platform/db/connection";
import { Secret, TOTP } from "otpauth";

export const PASSWORD = "correct horse battery";

export const TEST_ACTOR: Actor = {
  kind: "redctl",
  name: "test",
  request_id: null,
  address: null,
};

export function codeAt(seed: string, at: Date): string {
  return TOTP.generate({ secret: Secret.fromBase32(seed), timestamp: at.getTime() });
}

/** A code that is wrong around an instant. */
export function wrongCodeAt(seed: string, at: Date): string {
  const shown = [-60, -30, 0, 30, 60].map((seconds) => codeAt(seed, later(at, seconds)));
  const wrong = ["111111", "222222", "333333", "444444", "555555", "666666"];
  return wrong.find((code) => !shown.includes(code)) ?? "";
}

export function later(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1000);
}

export async function operatorId(db: Db, name: string): Promise<number> {
  const operator = await selectOperator(db, name);
  if (operator === null) {
    throw new Error(`there is no operator ${name}`);
  }
  return operator.id;
}

/** A sign-in; by default with the right password, without a code, from one address. */
export async function attempt(
  db: Db,
  secrets: SecretBox,
  input: Partial<LogIn> & { readonly name: string },
  now: Date,
): Promise<LogInResult> {
  const { address = "192.0.2.1" } = input;
  const caller: Actor = { kind: "system", name: "anonymous", request_id: "r", address };
  const session = { token_hash: randomBytes(32), replaces: [] };
  const usual = { password: PASSWORD, code: null, address, ...session };
  return await logIn(db, secrets, caller, { ...usual, ...input }, now);
}

/** A new operator, and the seed of the first sign-in. */
export async function newOperator(db: Db, secrets: SecretBox, name: string, now: Date) {
  await inTransaction(db, (tx) => createOperator(tx, TEST_ACTOR, { name, password: PASSWORD }));
  const result = await attempt(db, secrets, { name, address: "203.0.113.9" }, now);
  if (result.kind !== "bind") {
    throw new Error(`a new operator is asked to bind, not ${result.kind}`);
  }
  return result.secret;
}

/** Makes an operator with a bound authenticator. Binding used up the code of `now`. */
export async function boundOperator(db: Db, secrets: SecretBox, name: string, now: Date) {
  const seed = await newOperator(db, secrets, name, now);
  await attempt(db, secrets, { name, code: codeAt(seed, now), address: "203.0.113.9" }, now);
  return seed;
}
