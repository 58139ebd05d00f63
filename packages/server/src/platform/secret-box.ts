/**
 * Encrypts authenticator seeds and key secrets with AES-256-GCM under SECRET_KEY, derives tokens from that key, and
 * signs texts. Data encrypted for one purpose cannot be decrypted for another.
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
/**
 * PKCS #8 header before the 32 bytes of an Ed25519 private key (RFC 8410). PUBLIC_HEAD_BYTES is the length of the SPKI
 * header before a public key.
 */
const PRIVATE_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");
const PUBLIC_HEAD_BYTES = 12;

export interface SecretBox {
  /** Encrypts `plain` for one purpose, such as `totp:7`. */
  seal(purpose: string, plain: string): Buffer;
  /** Decrypts. Throws if the key, the purpose or the bytes differ from those of `seal`. */
  open(purpose: string, sealed: Buffer): string;
  /** Returns a token of 256 bits as base64url. The same key, `purpose` and `subject` give the same token. */
  derive(purpose: string, subject: Buffer): string;
  /** Public half of the Ed25519 signing key, 32 bytes as base64. It changes only when SECRET_KEY changes. */
  readonly publicKey: string;
  /** Returns the signature as base64. The same text always has the same signature. */
  sign(text: string): string;
}

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
