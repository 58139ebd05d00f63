/** The integrators' signing test vectors, checked against the demo's code in both directions. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { stringToSign } from "@red/contract/signing";
import { describe, expect, it } from "vitest";
import { sign, signatureCheck } from "./signing.ts";

interface Vectors {
  readonly key: string;
  readonly secret: string;
  readonly vectors: readonly {
    readonly name: string;
    readonly method: string;
    readonly path: string;
    readonly body: string;
    readonly timestamp: string;
    readonly nonce: string;
    readonly body_bytes: number;
    readonly body_sha256: string;
    readonly string_to_sign: string;
    readonly signature: string;
  }[];
}

const FILE = new URL("../../../docs/integration/test-vectors.json", import.meta.url);
// The file is part of the repository; every field is used below.
const { key, secret, vectors } = JSON.parse(readFileSync(FILE, "utf8")) as Vectors;

describe("test vectors", () => {
  it("cover bodies with and without text, queries, and both directions", () => {
    expect(vectors.length).toBeGreaterThanOrEqual(12);
    expect(vectors.some(({ method, body }) => method === "POST" && body === "")).toBe(true);
    expect(vectors.some(({ body }) => /\p{Script=Han}/u.test(body))).toBe(true);
    expect(vectors.filter(({ path }) => path.includes("?")).length).toBeGreaterThanOrEqual(3);
    expect(vectors.some(({ path }) => path.includes("/payouts"))).toBe(true);
    expect(new Set(vectors.map(({ nonce }) => nonce)).size).toBe(vectors.length);
  });

  it.each(vectors)("$name", (vector) => {
    const { method, path, body, timestamp, nonce, signature } = vector;
    const bytes = Buffer.from(body, "utf8");
    const bodyHash = createHash("sha256").update(bytes).digest("hex");
    expect(bytes).toHaveLength(vector.body_bytes);
    expect(bodyHash).toBe(vector.body_sha256);
    expect(stringToSign({ timestamp, nonce, method, path, bodyHash })).toBe(vector.string_to_sign);
    const headers = {
      "x-key": key,
      "x-timestamp": timestamp,
      "x-nonce": nonce,
      "x-signature": signature,
    };
    const now = Number(timestamp) * 1000;
    const check = signatureCheck({ key, secret });
    const spoilt = { method, path: `${path}&`, body };
    expect(check(spoilt, headers, now)).toBe("signature_invalid");
    expect(check({ method, path, body: `${body} ` }, headers, now)).toBe("signature_invalid");
    expect(check({ method, path, body }, headers, now)).toBeNull();
  });
});

describe("a check of signed calls", () => {
  const NOW = 1_800_000_000_000;
  const request = { method: "POST", path: "/open/v1/draws?x=1", body: "{}" };
  const signed = (seconds = 0) => sign(request, { key, secret }, NOW + seconds * 1000);

  it("accepts a clock that is 300 seconds off, not 301", () => {
    const check = signatureCheck({ key, secret });
    const faults = [300, -300, 301, -301].map((off) => check(request, signed(off), NOW));
    expect(faults).toEqual([null, null, "timestamp_out_of_range", "timestamp_out_of_range"]);
  });

  it("accepts a nonce once while its timestamp is valid, and remembers none of a spoilt call", () => {
    const check = signatureCheck({ key, secret });
    const headers = signed(300);
    const spoiled = { ...headers, "x-signature": "0".repeat(64) };
    expect(check(request, spoiled, NOW)).toBe("signature_invalid");
    expect(check(request, headers, NOW)).toBeNull();
    expect(check(request, headers, NOW + 600_000)).toBe("nonce_seen");
  });
});
