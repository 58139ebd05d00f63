/** Judges answers to the cases of calls that write. */
import { FIELD_LABELS } from "@red/contract/field-labels";
import type { Route } from "@red/contract/route";
import { text } from "@red/contract/texts";
import type { Expectation } from "#test/contract-cases";
import type { Parts, World } from "#test/contract-fixture";
import type { Write } from "#test/contract-fixtures";
import { isSigned } from "#test/contract-routes";
import type { Try } from "#test/contract-tries";
import type { LightMyRequestResponse } from "fastify";

/** What of an answer tells how a call went, whatever family and form. */
interface Verdict {
  readonly status: number;
  readonly code: number | string;
  readonly msg: string;
  readonly errors: readonly { readonly field: string; readonly msg: string }[];
  readonly data: unknown;
}

interface AnyAnswer {
  readonly code?: number | string;
  readonly msg?: string;
  readonly message?: string;
  readonly detail?: string;
  readonly status?: number;
  readonly data?: { readonly errors?: Verdict["errors"] } | null;
  readonly errors?: Verdict["errors"];
  readonly rejected?: readonly AnyAnswer[];
  readonly results?: readonly AnyAnswer[];
}

/** Reads an answer; that of a row where rows are judged one by one and the body itself is right. */
function verdictOf(write: Write, one: Try, answer: LightMyRequestResponse): Verdict {
  const whole = answer.json<AnyAnswer>();
  const isRow = write.fixture.rows !== undefined && one.place === "body";
  const [row] = isRow ? (whole.rejected ?? whole.results ?? []) : [];
  const told = row ?? whole;
  return {
    status: row?.status ?? answer.statusCode,
    code: told.code ?? "",
    msg: told.msg ?? told.message ?? told.detail ?? "",
    errors: told.data?.errors ?? told.errors ?? [],
    data: whole.data ?? whole,
  };
}

function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, 200);
}

/** What a place is called: by its name on the wire to platforms, as the forms call it to operators. */
function calledIn(route: Route, place: string): string {
  const [head = "", at] = place.split(".");
  const label =
    isSigned(route) || !Object.hasOwn(FIELD_LABELS.zh, head) ? null : FIELD_LABELS.zh[head];
  if (label === null || label === undefined) {
    return place;
  }
  return at === undefined ? label : `${label} #${Number(at) + 1}`;
}

function expectedText(
  { route }: Write,
  one: Try,
  expect: Exclude<Expectation, { kept?: unknown }>,
): string {
  const { values = {} } = expect;
  if ("against" in expect) {
    return expect.words ?? text(expect.against, "zh", values);
  }
  const place = one.field === "" ? "body" : placeOf(one, expect.at);
  // A field that there is not is called as it was sent.
  const field = expect.refuse === "unknown_field" ? place : calledIn(route, place);
  return text(expect.refuse, "zh", { field, ...values });
}

function placeOf({ field }: Try, at: string | undefined): string {
  return at === undefined ? field : `${field}.${at}`;
}

/** What is wrong with the answer to a case that must be refused; null when it is refused as it must. */
export function refusalFault(
  write: Write,
  one: Try,
  answer: LightMyRequestResponse,
): string | null {
  const { expect } = one.one;
  if (!("refuse" in expect) && !("against" in expect)) {
    throw new Error("the case is to be taken");
  }
  const verdict = verdictOf(write, one, answer);
  const msg = expectedText(write, one, expect);
  const place = "refuse" in expect ? placeOf(one, expect.at) : "";
  const field = place === "" ? "body" : place;
  const isRow = write.fixture.rows !== undefined && one.place === "body";
  const isPlatform = isSigned(write.route);
  const isDraw = isRow && write.route.path.includes("draws");
  const code = codeOf(expect, { isPlatform, isRow: isRow && !isDraw, field });
  const status = isPlatform && (!isRow || isDraw) ? statusOf(expect) : 200;
  const wanted = { status, code, msg };
  const got = { status: verdict.status, code: verdict.code, msg: verdict.msg };
  if (JSON.stringify(wanted) !== JSON.stringify(got)) {
    return `wanted ${shown(wanted)}, got ${shown(got)}`;
  }
  const isNamed = verdict.errors.some((fault) => fault.field === field && fault.msg === msg);
  return "against" in expect || isRow || isNamed ? null : `no fault of ${field}: ${shown(verdict)}`;
}

function statusOf(expect: Exclude<Expectation, { kept?: unknown }>): number {
  return "against" in expect ? expect.code : 400;
}

/** The code of a refusal: a number in an envelope, a name in a problem, the field in a rejected row. */
function codeOf(
  expect: Exclude<Expectation, { kept?: unknown }>,
  how: { readonly isPlatform: boolean; readonly isRow: boolean; readonly field: string },
): number | string {
  if (!how.isPlatform) {
    return statusOf(expect);
  }
  if ("against" in expect) {
    return expect.against;
  }
  return how.isRow ? how.field : "bad_input";
}

/** What is wrong with the answer to a case that must be taken, and with what is kept of it. */
export async function takingFault(
  world: World,
  write: Write,
  sent: Parts,
  one: Try,
  answer: LightMyRequestResponse,
): Promise<string | null> {
  const { fixture, route } = write;
  const verdict = verdictOf(write, one, answer);
  const codes = fixture.taken ?? [200];
  const isTaken = isSigned(route)
    ? answer.statusCode < 300 && isRowTaken(answer.json<AnyAnswer>())
    : answer.statusCode === 200 && codes.some((code) => code === verdict.code);
  if (!isTaken) {
    return `not taken: ${answer.statusCode} ${answer.body.slice(0, 200)}`;
  }
  const { expect } = one.one;
  if (!("kept" in expect) || fixture.kept === undefined || one.place !== "body") {
    return null;
  }
  const kept = (await fixture.kept(world, sent, verdict.data))[one.field];
  return kept === undefined || JSON.stringify(kept) === JSON.stringify(expect.kept)
    ? null
    : `kept ${shown(kept)}, not ${shown(expect.kept)}`;
}

function isRowTaken({ rejected = [], results = [] }: AnyAnswer): boolean {
  return rejected.length === 0 && results.every(({ status = 500 }) => status < 300);
}
