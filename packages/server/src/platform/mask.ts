/**
 * Hides accounts and amounts of players, and texts that may contain them, from operators without the permission
 * (behaviour §9). The mark of each text in the response schema decides (contract/src/platform/marks.ts).
 */
import { CHECK_REASONS } from "@red/contract/platform/codes";
import { partOf } from "@red/contract/platform/marks";
import type { Mark } from "@red/contract/platform/marks";
import { HIDDEN } from "@red/contract/platform/money";
import { notPermitted } from "@red/contract/platform/permissions";
import type { Permission } from "@red/contract/platform/permissions";
import type { Route } from "@red/contract/platform/route";
import { isUsualReason } from "@red/contract/payouts/wallet-reason";
import { numberCell } from "#tables/output-table";
import type { Cell } from "#tables/output-table";
import type { Caller } from "./handlers.ts";
import * as z from "zod/mini";

type Mask = (value: unknown) => unknown;

interface Sight {
  readonly accounts: boolean;
  readonly amounts: boolean;
}

const unmasked = <T>(value: T): T => value;

/** Hides all texts and numbers of a JSON value and keeps its structure. */
function hidden(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(hidden);
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, hidden(one)]));
  }
  return value === null || value === undefined || value === "" ? value : HIDDEN;
}

/** Keeps the first and last letter of an account, so that rows of one player look alike. */
const hiddenAccount = (value: unknown): unknown =>
  typeof value === "string" && value.length > 3
    ? `${value.slice(0, 1)}${HIDDEN}${value.slice(-1)}`
    : hidden(value);

const KNOWN_REASONS: ReadonlySet<unknown> = new Set(CHECK_REASONS);

const hiddenReason: Mask = (value) =>
  KNOWN_REASONS.has(value) || (typeof value === "string" && isUsualReason(value))
    ? value
    : hidden(value);

/** A text without a mark is hidden: a forgotten mark reveals nothing. */
function maskOfMark(mark: Mark | null, { accounts, amounts }: Sight): Mask {
  const masks: Readonly<Record<Mark, Mask>> = {
    plain: unmasked,
    money: unmasked,
    secret: unmasked,
    account: accounts ? unmasked : hiddenAccount,
    amount: amounts ? unmasked : hidden,
    words: hidden,
    reason: hiddenReason,
    filter: hidden,
  };
  return mark === null ? hidden : masks[mark];
}

/** Masks the fields of an object. Drops a field that has no mask, and hides a value that is not an object. */
const byField =
  (maskOf: (key: string) => Mask | undefined): Mask =>
  (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value).flatMap(([key, one]) => {
            const mask = maskOf(key);
            return mask === undefined ? [] : [[key, mask(one)]];
          }),
        )
      : hidden(value);

function compile(schema: z.core.$ZodType, sight: Sight): Mask {
  const part = partOf(schema);
  switch (part.kind) {
    case "leaf":
      return maskOfMark(part.mark, sight);
    case "list": {
      const mask = compile(part.of, sight);
      return (value) => (Array.isArray(value) ? value.map(mask) : hidden(value));
    }
    case "map": {
      const mask = compile(part.of, sight);
      return byField(() => mask);
    }
    case "object": {
      const fields = Object.entries(part.fields);
      const masks = new Map(fields.map(([key, one]) => [key, compile(one, sight)]));
      return byField((key) => masks.get(key));
    }
    case "either": {
      const masks = part.of.map((of) => ({ of, mask: compile(of, sight) }));
      return (value) =>
        (masks.find(({ of }) => z.safeParse(of, value).success)?.mask ?? hidden)(value);
    }
    default:
      return part satisfies never;
  }
}

const COMPILED = new WeakMap<z.core.$ZodType, Map<string, Mask>>();

/**
 * Returns the mask of this schema for the caller. The mask works on responses and on rows of a file, and keeps their
 * structure.
 */
export function maskBy(schema: z.core.$ZodType, { operator }: Caller): <T>(answer: T) => T {
  const may = (name: Permission) => operator?.permissions.includes(name) ?? true;
  const sight = { accounts: may("account.see"), amounts: may("amount.see") };
  if (sight.accounts && sight.amounts) {
    return unmasked;
  }
  const known = COMPILED.get(schema) ?? new Map<string, Mask>();
  COMPILED.set(schema, known);
  const key = JSON.stringify(sight);
  const mask = known.get(key) ?? compile(schema, sight);
  known.set(key, mask);
  // The mask keeps the structure, so the type stays the same.
  return (answer) => mask(answer) as typeof answer;
}

/**
 * Throws `not_permitted` if the input filters by amounts of players that the caller may not see: the matching rows
 * would reveal them. A filter by account is allowed, because the caller already knows that player.
 */
export function assertSeen(schema: Route["query"], input: unknown, { operator }: Caller): void {
  const part = schema && partOf(schema);
  const isShown = operator?.permissions.includes("amount.see") ?? true;
  if (isShown || part?.kind !== "object" || typeof input !== "object" || input === null) {
    return;
  }
  for (const [name, value] of Object.entries(input)) {
    const one = part.fields[name] && partOf(part.fields[name]);
    if (value !== undefined && one?.kind === "leaf" && one.mark === "amount") {
      throw notPermitted("amount.see");
    }
  }
}

export function maskJsonBy(schema: z.core.$ZodType, caller: Caller): (json: string) => string {
  const mask = maskBy(schema, caller);
  return mask === unmasked ? unmasked : (json) => JSON.stringify(mask(JSON.parse(json)));
}

export async function* maskedPages<T>(
  pages: AsyncIterable<T>,
  row: z.core.$ZodType,
  caller: Caller,
): AsyncGenerator<T> {
  const mask = maskBy(z.array(row), caller);
  for await (const page of pages) {
    yield mask(page);
  }
}

/** Returns a number cell, or the hidden text if the reader may not see the amount. */
export const amountCell = (amount: string): Cell =>
  amount === HIDDEN ? HIDDEN : numberCell(amount);
