/**
 * Encrypts authenticator seeds and key secrets with AES-256-GCM under SECRET_KEY, derives tokens from that key, and signs.
 * Data sealed for one purpose does not open for another.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  randomBytes,
  sign,
} from "node:crypto";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** PKCS #8 and SPKI of an Ed25519 key (RFC 8410), before its 32 bytes. */
const PRIVATE_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");
const PUBLIC_HEAD_BYTES = 12;

export interface SecretBox {
  /** Encrypts `plain` for one purpose, such as `totp:7`. */
  seal(purpose: string, plain: string): Buffer;
  /** Decrypts; throws when the key, the purpose or the bytes are not the ones of `seal`. */
  open(purpose: string, sealed: Buffer): string;
  /** A token determined by the key, `purpose` and `subject`: base64url, 256 bits. */
  derive(purpose: string, subject: Buffer): string;
  /** The public half of the Ed25519 signing key: 32 bytes as base64; it changes only with SECRET_KEY. */
  readonly publicKey: string;
  /** Base64; the same text has the same signature. */
  sign(text: string): string;
}

/** A box under a 32-byte key. */
export function secretBox(secretKey: Buffer): SecretBox {
  const subkey = (use: string) =>
    Buffer.from(hkdfSync("sha256", secretKey, Buffer.alloc(0), `red-packet:${use}`, 32));
  const encryption = subkey("encryption");
  const derivation = subkey("derivation");
  const signing = createPrivateKey({
    key: Buffer.concat([PRIVATE_HEAD, subkey("signing")]),
    format: "der",
    type: "pkcs8",
  });
  const verifying = createPublicKey(signing).export({ format: "der", type: "spki" });
  return {
    seal(purpose, plain) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, encryption, nonce);
      cipher.setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(purpose, sealed) {
      const nonce = sealed.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, encryption, nonce);
      decipher.setAAD(Buffer.from(purpose));
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const body = sealed.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
    },
    derive(purpose, subject) {
      return createHmac("sha256", derivation).update(purpose).update(subject).digest("base64url");
    },
    publicKey: verifying.subarray(PUBLIC_HEAD_BYTES).toString("base64"),
    sign: (text) => sign(null, Buffer.from(text), signing).toString("base64"),
  };
}
