/** Sends the test vectors for integrators to the application. */
import { readFileSync } from "node:fs";
import { insertApiKey } from "./api-key-sql.ts";
import { inTransaction } from "#platform/db/connection";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { beforeAll, expect, test, vi } from "vitest";

interface Vector {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly signature: string;
}

const FILE = new URL("../../../../docs/integration/test-vectors.json", import.meta.url);
// The cast is safe: the test uses every field below.
const given = JSON.parse(readFileSync(FILE, "utf8")) as {
  key: string;
  secret: string;
  vectors: Vector[];
};
const vectors = given.vectors.filter(({ path }) => path.startsWith("/open/"));

const t = useTestDb();
const platform = useTestApp(t);

beforeAll(async () => {
  const { key } = given;
  const secret = platform.services.secrets.seal(`api_key:${key}`, given.secret);
  const scopes = ["ingest" as const, "draw" as const, "read" as const];
  await inTransaction(t.db, (tx) => insertApiKey(tx, { key, name: "vectors", secret, scopes }));
});

let calls = 0;

/**
 * Sends a vector at the time of its timestamp. Each call uses a new address, because an address with wrong
 * signatures waits longer and longer.
 */
async function send({ method, path, body, timestamp, nonce, signature }: Vector) {
  const clock = vi.spyOn(Date, "now").mockReturnValue(Number(timestamp) * 1000);
  try {
    calls += 1;
    return await platform.app.inject({
      method,
      url: path,
      remoteAddress: `10.0.0.${calls}`,
      headers: {
        "content-type": "application/json",
        "x-key": given.key,
        "x-timestamp": timestamp,
        "x-nonce": nonce,
        "x-signature": signature,
      },
      ...(body === "" ? {} : { payload: body }),
    });
  } finally {
    clock.mockRestore();
  }
}

test("there are calls among the vectors", () => {
  expect(vectors.length).toBeGreaterThanOrEqual(10);
});

test.each(vectors)("the server takes: $name", async (vector) => {
  const mark = vector.path.includes("?") ? "&" : "?";
  const otherPath = await send({ ...vector, path: `${vector.path}${mark}more=1` });
  expect(otherPath.json()).toMatchObject({ status: 401, code: "signature_invalid" });
  if (vector.method === "POST") {
    const otherBody = await send({ ...vector, body: `${vector.body} ` });
    expect(otherBody.json()).toMatchObject({ status: 401, code: "signature_invalid" });
  }
  const { signature } = vector;
  const lastDigit = signature.endsWith("0") ? "1" : "0";
  const ofOtherLength = [signature.slice(1), `${signature}0`];
  const changed = [signature.toUpperCase(), `${signature.slice(0, -1)}${lastDigit}`];
  for (const other of [...changed, ...ofOtherLength]) {
    const otherSignature = await send({ ...vector, signature: other });
    expect(otherSignature.json()).toMatchObject({ status: 401, code: "signature_invalid" });
  }

  const taken = await send(vector);
  expect([200, 400, 404]).toContain(taken.statusCode);
  const again = await send(vector);
  expect(again.json()).toMatchObject({ status: 401, code: "nonce_seen" });
});
