/** One-time codes of an authenticator app (RFC 6238: SHA-1, 6 digits, 30 s; behaviour §9). */
import { TOTP_STEP_SECONDS } from "@red/contract/limits";
import { Secret, TOTP } from "otpauth";
import { renderSVG } from "uqr";

const ISSUER = "red packet";
const ALGORITHM = "SHA1";
const DIGITS = 6;
const SEED_BYTES = 20;
/** A code is accepted one step either side, for clocks that differ and people who type slowly. */
const STEPS_EITHER_SIDE = 1;

/** A new seed in base32, as authenticators take it. */
export function newSeed(): string {
  return new Secret({ size: SEED_BYTES }).base32;
}

/** What a seed is sealed for: one operator's does not open for another. */
export function seedPurpose(operator_id: number): string {
  return `totp:${operator_id}`;
}

/** What was typed, without the gap that authenticators show and in plain digits. */
export function typedCode(code: string | null | undefined): string {
  return (code ?? "").normalize("NFKC").replaceAll(/\s/g, "");
}

/** The time step whose code this is, at `now` or one step either side; null when it is none. */
export function stepOfCode(seed: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) {
    return null;
  }
  const timestamp = now.getTime();
  const delta = TOTP.validate({
    token: code,
    secret: Secret.fromBase32(seed),
    algorithm: ALGORITHM,
    digits: DIGITS,
    period: TOTP_STEP_SECONDS,
    timestamp,
    window: STEPS_EITHER_SIDE,
  });
  return delta === null ? null : Math.floor(timestamp / 1000 / TOTP_STEP_SECONDS) + delta;
}

/** The QR code that an authenticator scans, as data URL of an SVG picture. */
export function seedPicture(seed: string, name: string): string {
  const uri = new TOTP({
    issuer: ISSUER,
    label: name,
    secret: seed,
    algorithm: ALGORITHM,
    digits: DIGITS,
    period: TOTP_STEP_SECONDS,
  }).toString();
  const svg = renderSVG(uri, { ecc: "M", border: 2 });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}
