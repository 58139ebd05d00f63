/** One-time codes of an authenticator app (RFC 6238: SHA-1, 6 digits, 30 s), and recovery codes (behaviour §9). */
import { createHash, randomInt } from "node:crypto";
import { TOTP_STEP_SECONDS } from "@red/contract/platform/limits";
import { Secret, TOTP } from "otpauth";
import { renderSVG } from "uqr";

const ISSUER = "red packet";
const CODES = { algorithm: "SHA1", digits: 6, period: TOTP_STEP_SECONDS };
const SEED_BYTES = 20;
/** Codes of the previous and the next step are valid too, because clocks differ and people type slowly. */
const STEPS_EITHER_SIDE = 1;

/** Returns a new seed in base32, the format of authenticator apps. */
export function newSeed(): string {
  return new Secret({ size: SEED_BYTES }).base32;
}

/** Returns the purpose for sealing a seed, so that the seed can be opened only for its operator. */
export function seedPurpose(operator_id: number): string {
  return `totp:${operator_id}`;
}

/** Removes the space that authenticator apps show, and converts full-width digits to plain digits. */
export function typedCode(code: string | null | undefined): string {
  return (code ?? "").normalize("NFKC").replaceAll(/\s/g, "");
}

/** Returns the time step of the code, at most one step from `now`, or null for a wrong code. */
export function stepOfCode(seed: string, code: string, now: Date): number | null {
  // The library rejects other lengths, but cannot compare six characters that are not digits: they may have more bytes.
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

/** Returns a QR code for the authenticator app, as data URL of an SVG image. */
export function seedPicture(seed: string, name: string): string {
  const uri = new TOTP({ issuer: ISSUER, label: name, secret: seed, ...CODES }).toString();
  const svg = renderSVG(uri, { ecc: "M", border: 2 });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}

/*
 * A recovery code has letters only, so it cannot be confused with a six-digit code. Letters that look alike
 * are left out.
 */
const LETTERS = "abcdefghjkmnpqrstuvwxyz";

/** Returns five groups of five letters: 113 bits. */
export function newRecoveryCode(): string {
  const letter = () => LETTERS.charAt(randomInt(LETTERS.length));
  const group = () => Array.from({ length: 5 }, letter).join("");
  return Array.from({ length: 5 }, group).join("-");
}

/**
 * Returns the hash of a typed recovery code, or null for any other text. Codes of earlier versions have twelve letters.
 */
export function recoveryHash(typed: string): Buffer | null {
  const letters = typedCode(typed).toLowerCase().replaceAll("-", "");
  const isCode = /^(?:[a-z]{12}|[a-z]{25})$/.test(letters);
  return isCode ? createHash("sha256").update(letters).digest() : null;
}
