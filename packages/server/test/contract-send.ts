/** Sends a raw call to the application, or prints it for a shell. */
import type { TestApp } from "#test/test-app";
import type { LightMyRequestResponse } from "fastify";

export interface RawCall {
  readonly method: string;
  /** Path with query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Buffer | null;
  /** Sign-ins are counted by address. */
  readonly address?: string;
}

/** Methods in the type of `inject`, which accepts any. */
type InjectMethod = "DELETE" | "GET" | "HEAD" | "OPTIONS" | "PATCH" | "POST" | "PUT";

export async function sendRaw(a: TestApp, call: RawCall): Promise<LightMyRequestResponse> {
  return await a.app.inject({
    // The type lacks methods that tests try.
    method: call.method as InjectMethod,
    url: call.url,
    headers: { ...call.headers },
    remoteAddress: call.address ?? "127.0.0.1",
    ...(call.payload === null ? {} : { payload: call.payload }),
  });
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Quotes bytes for the shell's `$'…'`. */
function quotedBytes(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  if (Buffer.from(text, "utf8").equals(bytes) && !/[\p{Cc}\p{Cf}]/u.test(text)) {
    return quoted(text);
  }
  const escaped = [...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`);
  return `$'${escaped.join("")}'`;
}

const PRINTED_BYTES = 4000;

/** A curl command for a server on the default port. */
export function curlOf(call: RawCall): string {
  const headers = Object.entries(call.headers).map(([name, value]) => quoted(`${name}: ${value}`));
  const { payload } = call;
  const body =
    payload === null
      ? ""
      : ` --data-binary ${quotedBytes(payload.subarray(0, PRINTED_BYTES))}` +
        (payload.length > PRINTED_BYTES ? ` # … ${payload.length} bytes in all` : "");
  const flags = headers.map((header) => ` -H ${header}`).join("");
  return `curl -sS --path-as-is -X ${call.method} ${quoted(`http://127.0.0.1:8080${call.url}`)}${flags}${body}`;
}
