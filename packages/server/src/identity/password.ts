/** Rules and hashes of operators' passwords. */
import { randomInt } from "node:crypto";
import { AppError, badInput } from "@red/contract/platform/errors";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "@red/contract/platform/limits";
import { hash, verify } from "@node-rs/argon2";
import { limitConcurrency } from "#platform/concurrency";
import { COMMON_PASSWORDS } from "./common-passwords.ts";

/** argon2id with OWASP's lowest cost: about 20 ms of one core. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Each hash holds a thread of the pool that serves files and DNS too. */
const HASHES_AT_ONCE = 2;
/** Further attempts would wait for more than a few seconds, so they are refused. */
const HASHES_WAITING_MAX = 256;
const RETRY_SECONDS = 5;

const inTurn = limitConcurrency(
  HASHES_AT_ONCE,
  HASHES_WAITING_MAX,
  () => new AppError("too_many_requests", { seconds: RETRY_SECONDS }),
);

/** Unicode forms of the same text give the same password. */
function normal(password: string): string {
  return password.normalize("NFKC");
}

/** Without case, blanks and signs, which guessing programs vary first. */
function plain(text: string): string {
  return normal(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

const COMMON = new Set(COMMON_PASSWORDS.split(" ").map(plain));
/** Names of this product, as docs/security.md lists them. */
const OWN_WORDS = ["redpacket", "redctl", "hongbao", "红包"];
/** Shorter names occur in too many words. */
const NAME_LENGTH_MIN = 3;

/** `name` is the operator's; empty for a password made at random, which may have any letters. */
function isEasy(password: string, name: string): boolean {
  const guessed = plain(password);
  const words = [plain(name)].filter(({ length }) => length >= NAME_LENGTH_MIN);
  return COMMON.has(guessed) || [...OWN_WORDS, ...words].some((word) => guessed.includes(word));
}

/** Throws `bad_input` when the password is too short or too long, and `password_easy` (behaviour §9). */
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
 * Without a hash (no such operator) this does the same work and answers false, so that the duration does not show who
 * exists. Throws `too_many_requests` when too many wait.
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

/* Without characters that look alike. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const GROUPS = 5;
const GROUP_LENGTH = 5;

/** 25 characters in groups of five: about 145 bits. */
export function generatePassword(): string {
  const character = () => ALPHABET.charAt(randomInt(ALPHABET.length));
  const group = () => Array.from({ length: GROUP_LENGTH }, character).join("");
  return Array.from({ length: GROUPS }, group).join("-");
}
