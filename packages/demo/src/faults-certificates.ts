/**
 * Certificates for the test wallet, good and bad, made anew at each start: nothing secret lies in the
 * repository. As much of X.509 as a TLS client looks at, written out as DER.
 */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";

const DAY_MS = 86_400_000;
const HOST = [127, 0, 0, 1];

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const size =
    body.length < 128
      ? [body.length]
      : body.length < 256
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const set = (...parts: readonly Buffer[]) => der(0x31, ...parts);
const integer = (bytes: Buffer) => der(0x02, bytes);
const octets = (bytes: Buffer) => der(0x04, bytes);
const bits = (bytes: Buffer) => der(0x03, Buffer.from([0]), bytes);
const text = (value: string) => der(0x0c, Buffer.from(value, "utf8"));
const yes = der(0x01, Buffer.from([0xff]));

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, "hex"));
}

const ECDSA_WITH_SHA256 = sequence(oid("2a8648ce3d040302"));
const COMMON_NAME = oid("550403");
const BASIC_CONSTRAINTS = oid("551d13");
const SUBJECT_ALT_NAME = oid("551d11");

function nameOf(commonName: string): Buffer {
  return sequence(set(sequence(COMMON_NAME, text(commonName))));
}

/* UTCTime: two digits of the year will do for a certificate that lives for days. */
function instant(at: number): Buffer {
  const iso = new Date(at).toISOString();
  return der(0x17, Buffer.from(`${iso.slice(2, 19).replaceAll(/[-:T]/g, "")}Z`, "latin1"));
}

interface Wanted {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly signedBy: KeyObject;
  readonly until: number;
  readonly extension: Buffer;
}

function certificate(wanted: Wanted): string {
  // Below 0x80, or the number would be a negative one.
  const serial = Buffer.concat([Buffer.from([0x01]), randomBytes(8)]);
  const version3 = der(0xa0, integer(Buffer.from([2])));
  const told = sequence(
    version3,
    integer(serial),
    ECDSA_WITH_SHA256,
    nameOf(wanted.issuer),
    sequence(instant(wanted.until - 30 * DAY_MS), instant(wanted.until)),
    nameOf(wanted.subject),
    wanted.publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(wanted.extension)),
  );
  const signature = sign("sha256", told, wanted.signedBy);
  const whole = sequence(told, ECDSA_WITH_SHA256, bits(signature));
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

interface Pair {
  readonly key: string;
  readonly cert: string;
}

/** Which certificate a server shows. */
type Kind = "good" | "expired" | "other_host";

export interface Authority {
  /** What a caller has to trust. */
  readonly pem: string;
  pairOf(kind: Kind): Pair;
}

/** An authority of its own with certificates for a server on 127.0.0.1. */
export function makeAuthority(): Authority {
  const issuer = "test wallet authority";
  const root = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const isAuthority = sequence(BASIC_CONSTRAINTS, yes, octets(sequence(yes)));
  const pem = certificate({
    subject: issuer,
    issuer,
    publicKey: root.publicKey,
    signedBy: root.privateKey,
    until: Date.now() + 10 * DAY_MS,
    extension: isAuthority,
  });
  const issue = (until: number, host: Buffer): Pair => {
    const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const cert = certificate({
      subject: "test wallet",
      issuer,
      publicKey: keys.publicKey,
      signedBy: root.privateKey,
      until,
      extension: sequence(SUBJECT_ALT_NAME, octets(sequence(host))),
    });
    return { key: keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString(), cert };
  };
  const here = der(0x87, Buffer.from(HOST));
  const elsewhere = der(0x82, Buffer.from("wallet.example", "latin1"));
  const pairs: Readonly<Record<Kind, Pair>> = {
    good: issue(Date.now() + 10 * DAY_MS, here),
    expired: issue(Date.now() - DAY_MS, here),
    other_host: issue(Date.now() + 10 * DAY_MS, elsewhere),
  };
  return { pem, pairOf: (kind) => pairs[kind] };
}
