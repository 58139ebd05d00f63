/** Sends a raw call to the application. */
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
