/** The integrators' signing test vectors, checked against the demo's code. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { stringToSign } from "@red/contract/identity/signing";
import { describe, expect, it } from "vitest";
import { sign } from "./signing.ts";

type Texts = "name" | "method" | "path" | "body" | "timestamp" | "nonce" | "signature";
type Vector = Record<Texts | "body_sha256" | "string_to_sign", string> & { body_bytes: number };

const FILE = new URL("../../../docs/integration/test-vectors.json", import.meta.url);
// The file is part of the repository; every field is used below.
const { key, secret, vectors } = JSON.parse(readFileSync(FILE, "utf8")) as {
  key: string;
  secret: string;
  vectors: Vector[];
};

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
    const signed = sign({ method, path, body }, { key, secret }, timestamp, nonce);
    expect([signed["x-key"], signed["x-signature"]]).toEqual([key, signature]);
  });
});
