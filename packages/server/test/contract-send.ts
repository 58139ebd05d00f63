/** One call of the API as bytes: sent into the application, or printed for a shell. */
import type { TestApp } from "#test/test-app";
import type { LightMyRequestResponse } from "fastify";

export interface RawCall {
  readonly method: string;
  /** Path with query, as on the request line. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Buffer | null;
  /** Where it comes from: sign-ins are counted by address. */
  readonly address?: string;
}

/** Methods that `inject` sends; it takes any of them as it is. */
type InjectMethod = "DELETE" | "GET" | "HEAD" | "OPTIONS" | "PATCH" | "POST" | "PUT";

/** Sends the call and reads the whole answer. */
export async function sendRaw(a: TestApp, call: RawCall): Promise<LightMyRequestResponse> {
  return await a.app.inject({
    // The type lists what fastify knows; a method beyond it is part of what is tried here.
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

/** Bytes for the shell's `$'…'`, which keeps what a text could not. */
function quotedBytes(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  if (Buffer.from(text, "utf8").equals(bytes) && !/[\p{Cc}\p{Cf}]/u.test(text)) {
    return quoted(text);
  }
  const escaped = [...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`);
  return `$'${escaped.join("")}'`;
}

const PRINTED_BYTES = 4000;

/** The call as a line of curl, against a server on the usual port. */
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
