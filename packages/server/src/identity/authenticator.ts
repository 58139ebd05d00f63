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

/** A new seed in base32, the format of authenticator apps. */
export function newSeed(): string {
  return new Secret({ size: SEED_BYTES }).base32;
}

/** The purpose under which a seed is sealed, so that it opens for its operator only. */
export function seedPurpose(operator_id: number): string {
  return `totp:${operator_id}`;
}

/** Removes the gap that authenticator apps show, and turns full-width digits into plain ones. */
export function typedCode(code: string | null | undefined): string {
  return (code ?? "").normalize("NFKC").replaceAll(/\s/g, "");
}

/** The time step that the code belongs to, at most one step from `now`; null for a wrong code. */
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

/* Letters only, so that a recovery code is never read as a code of six digits; without letters that look alike. */
const LETTERS = "abcdefghjkmnpqrstuvwxyz";

/** Five groups of five letters: 113 bits. */
export function newRecoveryCode(): string {
  const letter = () => LETTERS.charAt(randomInt(LETTERS.length));
  const group = () => Array.from({ length: 5 }, letter).join("");
  return Array.from({ length: 5 }, group).join("-");
}

/** Hash of a typed recovery code; null for any other text. Codes of earlier versions have twelve letters. */
export function recoveryHash(typed: string): Buffer | null {
  const letters = typedCode(typed).toLowerCase().replaceAll("-", "");
  const isCode = /^(?:[a-z]{12}|[a-z]{25})$/.test(letters);
  return isCode ? createHash("sha256").update(letters).digest() : null;
}
