/** Every write with a valid call, and how to send it. */
import { fillPath } from "@red/contract/platform/route";
import { MONEY_WRITES } from "#test/contract-writes-money";
import { PEOPLE_WRITES } from "#test/contract-writes-people";
import { PLATFORM_WRITES } from "#test/contract-writes-platform";
import { ROUND_WRITES } from "#test/contract-writes-rounds";
import { everyRoute, isSigned } from "#test/contract-routes";
import type { NamedRoute } from "#test/contract-routes";
import { sendRaw } from "#test/contract-send";
import type { Fixture, Parts, World } from "#test/contract-world";
import type { TestApp } from "#test/test-app";
import { formBody } from "#test/upload";
import type { LightMyRequestResponse } from "fastify";

const FIXTURES = { ...PEOPLE_WRITES, ...ROUND_WRITES, ...MONEY_WRITES, ...PLATFORM_WRITES };

export interface Write extends NamedRoute {
  readonly fixture: Fixture;
}

/** Throws for a write without a fixture, and for a fixture without a write. */
export function everyWrite(): Write[] {
  const known = new Map(Object.entries(FIXTURES));
  const writes = everyRoute().filter(({ route }) => !/^(read|download|stream)$/.test(route.access));
  const found = writes.map((write): Write => {
    const fixture = known.get(write.name);
    known.delete(write.name);
    if (fixture === undefined) {
      throw new Error(`there is no fixture of ${write.name}`);
    }
    return { ...write, fixture };
  });
  if (known.size > 0) {
    throw new Error(`there is no call ${[...known.keys()].join(", ")}`);
  }
  return found;
}

let addresses = 0;

/** A new address for each call: refused sign-ins and tokens are delayed by address. */
export function freshAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/** Sends the call as the operator of `a` or as the platform. */
export async function sendWrite(
  a: TestApp,
  world: World,
  { route, fixture }: Write,
  { form, params = {}, body = {} }: Parts,
  more: Readonly<Record<string, string>> = {},
): Promise<LightMyRequestResponse> {
  const url = fillPath(route.path, params);
  const json = {
    payload: Buffer.from(JSON.stringify(body)),
    headers: { "content-type": "application/json" },
  };
  const { payload, headers } = form === undefined ? json : await formBody(form);
  const caller = isSigned(route)
    ? a.sign(route.method, url, payload)
    : { token: (await fixture.token?.(world)) ?? a.token };
  return await sendRaw(a, {
    method: route.method,
    url,
    headers: { ...caller, ...headers, ...more },
    payload,
    address: freshAddress(),
  });
}

export function isTaken({ route, fixture }: Write, answer: LightMyRequestResponse): boolean {
  return isSigned(route)
    ? answer.statusCode < 300
    : answer.json<{ code: number }>().code === (fixture.taken ?? 200);
}
