import { describe, expect, it } from "vitest";
import { sign, signatureCheck } from "./signing.ts";

const CREDENTIALS = { key: "rk_1", secret: "s3cret" };
const REQUEST = { method: "POST", path: "/open/v1/draws?x=1", body: '{"a":"红包"}' };
const NOW = 1_800_000_000_000;

describe("signing", () => {
  it("signs the text of platform-api", () => {
    const headers = sign(REQUEST, CREDENTIALS, NOW);
    expect(headers).toMatchObject({ "x-key": "rk_1", "x-timestamp": "1800000000" });
    expect(headers["x-nonce"]).toMatch(/^[0-9a-f]{32}$/);
    expect(sign(REQUEST, CREDENTIALS, NOW)["x-nonce"]).not.toBe(headers["x-nonce"]);
  });

  it("takes a signature that was made elsewhere", () => {
    // openssl: printf '1800000000.0123456789abcdef.POST./open/v1/draws?x=1.%s' "$(sha256 of body)"
    const headers = {
      "x-key": "rk_1",
      "x-timestamp": "1800000000",
      "x-nonce": "0123456789abcdef",
      "x-signature": "126bdef34d66c33d846c052ab6ed626f8546d8f8968ef7fbad6265f73576d95c",
    };
    expect(signatureCheck(CREDENTIALS)(REQUEST, headers, NOW)).toBeNull();
  });

  it.each([
    ["method", { ...REQUEST, method: "GET" }],
    ["path", { ...REQUEST, path: "/open/v1/draws?x=2" }],
    ["body", { ...REQUEST, body: '{"a":"红包 "}' }],
  ])("refuses another %s", (_, request) => {
    const headers = sign(REQUEST, CREDENTIALS, NOW);
    expect(signatureCheck(CREDENTIALS)(request, headers, NOW)).toBe("signature_invalid");
  });

  it("refuses another secret, another key, a missing header", () => {
    const check = signatureCheck(CREDENTIALS);
    const other = sign(REQUEST, { ...CREDENTIALS, secret: "other" }, NOW);
    expect(check(REQUEST, other, NOW)).toBe("signature_invalid");
    const stranger = sign(REQUEST, { ...CREDENTIALS, key: "rk_2" }, NOW);
    expect(check(REQUEST, stranger, NOW)).toBe("key_unknown");
    expect(check(REQUEST, {}, NOW)).toBe("signature_missing");
  });

  it("accepts a clock that is 300 seconds off, not 301", () => {
    const check = signatureCheck(CREDENTIALS);
    for (const [off, fault] of [
      [300, null],
      [-300, null],
      [301, "timestamp_out_of_range"],
      [-301, "timestamp_out_of_range"],
    ] as const) {
      const headers = sign(REQUEST, CREDENTIALS, NOW + off * 1000);
      expect(check(REQUEST, headers, NOW)).toBe(fault);
    }
  });

  it("refuses a nonce seen before, for as long as its timestamp may be accepted", () => {
    const check = signatureCheck(CREDENTIALS);
    const headers = sign(REQUEST, CREDENTIALS, NOW + 300_000);
    expect(check(REQUEST, headers, NOW)).toBeNull();
    expect(check(REQUEST, headers, NOW)).toBe("nonce_seen");
    expect(check(REQUEST, headers, NOW + 600_000)).toBe("nonce_seen");
  });

  it("does not let a badly signed call use up a nonce", () => {
    const check = signatureCheck(CREDENTIALS);
    const headers = sign(REQUEST, CREDENTIALS, NOW);
    const spoiled = { ...headers, "x-signature": "0".repeat(64) };
    expect(check(REQUEST, spoiled, NOW)).toBe("signature_invalid");
    expect(check(REQUEST, headers, NOW)).toBeNull();
  });
});
