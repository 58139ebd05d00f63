/** One-time codes of an authenticator app (RFC 6238: SHA-1, 6 digits, 30 s), and recovery codes (behaviour §9). */
import { createHash, randomInt } from "node:crypto";
import { TOTP_STEP_SECONDS } from "@red/contract/platform/limits";
import { Secret, TOTP } from "otpauth";
import { renderSVG } from "uqr";

const ISSUER = "red packet";
const CODES = { algorithm: "SHA1", digits: 6, period: TOTP_STEP_SECONDS };
const SEED_BYTES = 20;
/** Codes of the steps before and after are valid too: clocks differ, and people type slowly. */
const STEPS_EITHER_SIDE = 1;

/** In base32, as authenticators take it. */
export function newSeed(): string {
  return new Secret({ size: SEED_BYTES }).base32;
}

/** Purpose of the sealed seed: one operator's does not open for another. */
export function seedPurpose(operator_id: number): string {
  return `totp:${operator_id}`;
}

/** Removes the gap that authenticators show; full-width digits become plain ones. */
export function typedCode(code: string | null | undefined): string {
  return (code ?? "").normalize("NFKC").replaceAll(/\s/g, "");
}

/** The time step of the code, at `now` or one step either side; null when it is wrong. */
export function stepOfCode(seed: string, code: string, now: Date): number | null {
  // The library refuses another length; other letters of six may have more bytes, which it cannot compare.
  if (/\D/.test(code)) {
    return null;
  }
  const timestamp = now.getTime();
  const delta = TOTP.validate({
    token: code,
    secret: Secret.fromBase32(seed),
    ...CODES,
    timestamp,
    window: STEPS_EITHER_SIDE,
  });
  return delta === null ? null : Math.floor(timestamp / 1000 / TOTP_STEP_SECONDS) + delta;
}

/** A QR code for the authenticator, as data URL of an SVG picture. */
export function seedPicture(seed: string, name: string): string {
  const uri = new TOTP({ issuer: ISSUER, label: name, secret: seed, ...CODES }).toString();
  const svg = renderSVG(uri, { ecc: "M", border: 2 });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}

/* Letters only, so that it is never taken for a code of six digits; without those that look alike. */
const LETTERS = "abcdefghjkmnpqrstuvwxyz";

/** Five groups of five letters: 113 bits. */
export function newRecoveryCode(): string {
  const letter = () => LETTERS.charAt(randomInt(LETTERS.length));
  const group = () => Array.from({ length: 5 }, letter).join("");
  return Array.from({ length: 5 }, group).join("-");
}

/** Hash of a recovery code as typed; null for what is none. Those of earlier versions have twelve letters. */
export function recoveryHash(typed: string): Buffer | null {
  const letters = typedCode(typed).toLowerCase().replaceAll("-", "");
  const isCode = /^(?:[a-z]{12}|[a-z]{25})$/.test(letters);
  return isCode ? createHash("sha256").update(letters).digest() : null;
}
