/** Passwords of operators: their rule, their hashes, and how many are hashed at a time. */
import { randomInt } from "node:crypto";
import { AppError, badInput } from "@red/contract/errors";
import { hash, verify } from "@node-rs/argon2";

/** In characters. There is no rule of composition: length is what counts. */
export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 128;

/** argon2id, the library's default kind, with OWASP's least cost: about 20 ms of one core. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Each hash holds a thread of the pool that files and look-ups use too. */
const HASHES_AT_ONCE = 2;
/** Attempts that wait longer than a few seconds are better sent away. */
const HASHES_WAITING_MAX = 256;
const RETRY_SECONDS = 5;

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= HASHES_AT_ONCE) {
    if (waiting.length >= HASHES_WAITING_MAX) {
      throw new AppError("too_many_requests", { seconds: RETRY_SECONDS });
    }
    // Whoever finishes hands its place over, so that `running` stays as it is.
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
  } else {
    running += 1;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) {
      running -= 1;
    } else {
      next();
    }
  }
}

/** Two ways of typing one text give one password. */
function normal(password: string): string {
  return password.normalize("NFKC");
}

/** Hashes a new password. Throws `bad_input` when it is too short or too long. */
export async function hashPassword(password: string): Promise<string> {
  const length = Array.from(normal(password)).length;
  if (length < PASSWORD_LENGTH_MIN || length > PASSWORD_LENGTH_MAX) {
    const msg = `a password has ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters, this one has ${length}`;
    throw badInput([{ field: "password", msg }]);
  }
  return await inTurn(() => hash(normal(password), COST));
}

/**
 * Is it the password of the hash? Without a hash (no such operator) the answer is no after the same
 * work, so that its duration does not tell who exists. Throws `too_many_requests` when too many wait.
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

/* Without characters that are taken for one another. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** A random password of 20 characters in groups of five: about 116 bits. */
export function generatePassword(): string {
  const character = () => ALPHABET.charAt(randomInt(ALPHABET.length));
  const group = () => Array.from({ length: GROUP_LENGTH }, character).join("");
  return Array.from({ length: GROUPS }, group).join("-");
}
