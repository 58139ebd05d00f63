/** Every case of a call that writes, as bytes to send and as an answer to expect. */
import { fillPath } from "@red/contract/route";
import type { AppWorld, Fixture, Parts, World } from "#test/contract-fixture";
import type { Write } from "#test/contract-fixtures";
import type { Case, Kind } from "#test/contract-cases";
import { fieldsOf, isSigned } from "#test/contract-routes";
import { sendRaw } from "#test/contract-send";
import { formBody } from "#test/upload";
import type { LightMyRequestResponse } from "fastify";

const JSON_TYPE = { "content-type": "application/json" };

/** Where a case stands in the call. */
export type Place = "body" | "whole body" | "address" | "nowhere";

/** One row of the matrix. */
export interface Try {
  readonly place: Place;
  /** The field, or the part of the address; empty for the body as a whole. */
  readonly field: string;
  readonly one: Case;
}

function tries(place: Place, kinds: Readonly<Record<string, Kind>>): Try[] {
  return Object.entries(kinds).flatMap(([field, kind]) =>
    kind.map((one) => ({ place, field, one })),
  );
}

/** Fields that nobody may set by sending them. */
const FOREIGN = [
  "id",
  "act_id",
  "version",
  "award_status",
  "trans_sn",
  "player_id",
  "created_at",
  "rounds_status",
  "drawn",
  "used",
  "role",
  "roles",
  "constructor",
  "prototype",
  "__proto__",
  "toString",
  "无",
];

const NO_OBJECTS = [
  "null",
  "[]",
  '"text"',
  "7",
  "true",
  "[{}]",
  `[${"[".repeat(500)}${"]".repeat(500)}]`,
];
const NO_JSON = [
  "{",
  "{}x",
  "{'a':1}",
  '{"a":1,}',
  "\ufeff{}",
  "undefined",
  "NaN",
  "\u0000",
  "[".repeat(20_000),
];

/** The body as a whole: no object, no JSON, and fields that it does not have. */
function wholeBodies(known: readonly string[]): Try[] {
  const place = "whole body";
  const shown = (json: string) => (json.length > 30 ? `${json.slice(0, 27)}…` : json);
  const asText = (json: string, refuse: "body_not_object" | "body_not_json"): Try => ({
    place,
    field: "",
    one: { label: shown(json), json, expect: { refuse } },
  });
  return [
    ...NO_OBJECTS.map((json) => asText(json, "body_not_object")),
    ...NO_JSON.map((json) => asText(json, "body_not_json")),
    ...FOREIGN.filter((field) => !known.includes(field)).map((field): Try => ({
      place: "body",
      field,
      one: { label: "unknown field", json: '{"admin":true}', expect: { refuse: "unknown_field" } },
    })),
  ];
}

/** The call as it is right. */
export const RIGHT: Try = {
  place: "nowhere",
  field: "",
  one: { label: "right", json: null, expect: {} },
};

/** Every case of a call. */
export function triesOf(world: World, { route, fixture }: Write): Try[] {
  const fields = fixture.fields?.(world) ?? {};
  const known = [...Object.keys(fields), ...fieldsOf(route.body)];
  return [
    ...tries("body", fields),
    ...(route.body === undefined ? [] : wholeBodies(known)),
    ...tries("address", fixture.params?.(world) ?? {}).filter(isSendable),
  ];
}

/** Fields that the call declares and the fixture knows nothing of, and the other way round. */
export function unknownFields(world: World, { route, fixture }: Write): string[] {
  const own = fixture.rows === undefined ? fieldsOf(route.body) : [];
  const declared = new Set([...own, ...fieldsOf(route.params)]);
  const known = new Set([
    ...(fixture.rows === undefined ? Object.keys(fixture.fields?.(world) ?? {}) : []),
    ...Object.keys(fixture.params?.(world) ?? {}),
  ]);
  return [
    ...[...declared].filter((field) => !known.has(field)),
    ...[...known].filter((field) => !declared.has(field)),
  ];
}

/** The object with one field as this token, or without it. */
function objectWith(object: object, field: string, json: string | null): string {
  const members = Object.entries(object)
    .filter(([name]) => name !== field)
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  const changed = json === null ? [] : [`${JSON.stringify(field)}:${json}`];
  return `{${[...members, ...changed].join(",")}}`;
}

/** The first row of the list in a body. */
function rowOf(body: Readonly<Record<string, unknown>>, list: string): object {
  const [row] = [body[list]].flat();
  return typeof row === "object" && row !== null ? row : {};
}

function bodyText({ rows }: Fixture, parts: Parts, { place, field, one }: Try): string {
  const body = parts.body ?? {};
  if (place === "whole body") {
    const json = one.json ?? "";
    return json;
  }
  if (place === "address" || place === "nowhere") {
    return JSON.stringify(body);
  }
  return rows === undefined
    ? objectWith(body, field, one.json)
    : `{${JSON.stringify(rows)}:[${objectWith(rowOf(body, rows), field, one.json)}]}`;
}

/** A text as it stands in an address; null where no client could write it there. */
function segmentOf(json: string | null): string | null {
  const value: unknown = json?.startsWith('"') === true ? JSON.parse(json) : null;
  const isWritable =
    typeof value === "string" && !/\p{Cs}|^\.{0,2}$/u.test(value) && value.length < 4000;
  return isWritable ? encodeURIComponent(value) : null;
}

/** An address holds texts alone, and not all of them. */
function isSendable({ one }: Try): boolean {
  return segmentOf(one.json) !== null;
}

/** The parts with the case put in, as far as it is JSON of its own. */
export function partsWith({ rows }: Fixture, parts: Parts, { place, field, one }: Try): Parts {
  if (place !== "body" || one.json === null) {
    return parts;
  }
  const value: unknown = JSON.parse(one.json);
  const body = parts.body ?? {};
  const changed = { [field]: value };
  return rows === undefined
    ? { ...parts, body: { ...body, ...changed } }
    : { ...parts, body: { ...body, [rows]: [{ ...rowOf(body, rows), ...changed }] } };
}

/** Sends a call as it is right, by the operator of `token`. */
export async function sendRight(
  world: AppWorld,
  { route, fixture }: Write,
  parts: Parts,
  token: string,
): Promise<LightMyRequestResponse> {
  const { form, params = {}, body = {} } = parts;
  const url = fillPath(route.path, params);
  const json = { payload: Buffer.from(JSON.stringify(body)), headers: JSON_TYPE };
  const sent = form === undefined ? json : await formBody(form);
  const caller = isSigned(route)
    ? world.app.sign(route.method, url, sent.payload)
    : { token: (await fixture.token?.(world)) ?? token };
  return await sendRaw(world.app, {
    method: route.method,
    url,
    headers: { ...caller, ...sent.headers },
    payload: sent.payload,
    address: freshAddress(),
  });
}

/** Sends one case of a call that is right but for it. */
export async function sendTry(
  world: AppWorld,
  { route, fixture }: Write,
  parts: Parts,
  one: Try,
): Promise<LightMyRequestResponse> {
  const params = parts.params ?? {};
  const url =
    one.place === "address"
      ? route.path.replace(`{${one.field}}`, segmentOf(one.one.json) ?? "")
      : fillPath(route.path, params);
  const payload = route.body === undefined ? "" : bodyText(fixture, parts, one);
  const { app } = world;
  const headers = isSigned(route)
    ? app.sign(route.method, url, payload)
    : { token: (await fixture.token?.(world)) ?? app.token, ...JSON_TYPE };
  return await sendRaw(app, {
    method: route.method,
    url,
    headers,
    payload: Buffer.from(payload),
    address: freshAddress(),
  });
}

let addresses = 0;

/** Sign-ins are limited by address; nobody here is to run into that. */
export function freshAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}
