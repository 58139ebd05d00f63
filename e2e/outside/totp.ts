/** One-time codes of RFC 6238: SHA-1, six digits, thirty seconds. */
import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const STEP_MS = 30_000;

function bytesOfBase32(text: string): Buffer {
  let bits = "";
  for (const letter of text.replace(/=+$/, "").toUpperCase()) {
    const value = ALPHABET.indexOf(letter);
    if (value < 0) {
      throw new Error(`not base32: ${letter}`);
    }
    bits += value.toString(2).padStart(5, "0");
  }
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

export function stepAt(now: number): number {
  return Math.floor(now / STEP_MS);
}

export function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", bytesOfBase32(secret)).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 15;
  return String((digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, "0");
}

/** A code that is wrong at `now` and one step either side. */
export function wrongCode(secret: string, now: number): string {
  const right = [-2, -1, 0, 1, 2].map((off) => codeOf(secret, stepAt(now) + off));
  const candidates = ["000000", "111111", "222222", "333333", "444444", "555555"];
  return candidates.find((code) => !right.includes(code)) ?? "";
}

/** The authenticator of an operator; `used` is the step of the last entered code. */
export function authenticatorOf(secret: string, used: number) {
  let last = used;
  return {
    /** The next unused code; waits while the last one is still shown. */
    async code(): Promise<string> {
      last = Math.max(last + 1, stepAt(Date.now()));
      // A code is accepted one step early.
      await sleep(Math.max(0, (last - 1) * STEP_MS - Date.now()));
      return codeOf(secret, last);
    },
    wrong: () => wrongCode(secret, Date.now()),
  };
}

export type Authenticator = ReturnType<typeof authenticatorOf>;
