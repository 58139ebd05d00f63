/** Rules for operators' passwords, and their hashes. */
import { randomInt } from "node:crypto";
import { AppError, badInput } from "@red/contract/platform/errors";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "@red/contract/platform/limits";
import { hash, verify } from "@node-rs/argon2";
import { limitConcurrency } from "#platform/concurrency";
import { COMMON_PASSWORDS } from "./common-passwords.ts";

/** argon2id with the lowest cost that OWASP recommends: about 20 ms of one core. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Each hash occupies a thread of the pool that also serves files and DNS. */
const HASHES_AT_ONCE = 2;
/** Further attempts would wait for more than a few seconds, so they are rejected. */
const HASHES_WAITING_MAX = 256;
const RETRY_SECONDS = 5;

const inTurn = limitConcurrency(
  HASHES_AT_ONCE,
  HASHES_WAITING_MAX,
  () => new AppError("too_many_requests", { seconds: RETRY_SECONDS }),
);

/** Different Unicode forms of the same text are the same password. */
function normal(password: string): string {
  return password.normalize("NFKC");
}

/** Removes case, whitespace and punctuation, which guessing programs vary first. */
function plain(text: string): string {
  return normal(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

const COMMON = new Set(COMMON_PASSWORDS.split(" ").map(plain));
/** Names of this product, as listed in docs/security.md. */
const OWN_WORDS = ["redpacket", "redctl", "hongbao", "红包"];
/** Shorter operator names occur in too many words. */
const NAME_LENGTH_MIN = 3;

/** `name` is the name of the operator. It is empty for a random password, which may contain any letters. */
function isEasy(password: string, name: string): boolean {
  const guessed = plain(password);
  const words = [plain(name)].filter(({ length }) => length >= NAME_LENGTH_MIN);
  return COMMON.has(guessed) || [...OWN_WORDS, ...words].some((word) => guessed.includes(word));
}

/** Throws `bad_input` if the password is too short or too long, and `password_easy` (behaviour §9). */
export async function hashPassword(password: string, name: string): Promise<string> {
  const length = Array.from(normal(password)).length;
  if (length < PASSWORD_LENGTH_MIN || length > PASSWORD_LENGTH_MAX) {
    const msg = `a password has ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters, this one has ${length}`;
    throw badInput([{ field: "password", msg }]);
  }
  if (isEasy(password, name)) {
    throw new AppError("password_easy", { name });
  }
  return await inTurn(() => hash(normal(password), COST));
}

/**
 * Checks a password. Without a hash (the operator does not exist), does the same work and returns false, so
 * that the response time does not reveal who exists. Throws `too_many_requests` if too many calls wait.
 */
export async function isPassword(password: string, password_hash: string | null): Promise<boolean> {
  return await inTurn(async () => {
    if (password_hash === null) {
      await hash(normal(password), COST);
      return false;
    }
    return await verify(password_hash, normal(password));
  });
}

/* Characters that look alike are left out. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const GROUPS = 5;
const GROUP_LENGTH = 5;

/** Returns 25 characters in groups of five: about 145 bits. */
export function generatePassword(): string {
  const character = () => ALPHABET.charAt(randomInt(ALPHABET.length));
  const group = () => Array.from({ length: GROUP_LENGTH }, character).join("");
  return Array.from({ length: GROUPS }, group).join("-");
}
