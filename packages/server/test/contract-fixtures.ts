/** Every call that writes, by method and path, with what is known of it. */
import { everyRoute } from "#test/contract-routes";
import type { NamedRoute } from "#test/contract-routes";
import { ACTIVITY_FIXTURES, TAG_FIXTURES } from "#test/contract-fixtures-activity";
import { DRAW_FIXTURES, INGEST_FIXTURES } from "#test/contract-fixtures-platform";
import { POOL_FIXTURES, PRIZE_FIXTURES } from "#test/contract-fixtures-prize";
import {
  EXTRA_TIME_FIXTURES,
  RECORD_FIXTURES,
  SESSION_FIXTURES,
} from "#test/contract-fixtures-record";
import { RECONCILIATION_FIXTURES } from "#test/contract-fixtures-reconciliation";
import { SHEET_FIXTURES } from "#test/contract-fixtures-sheet";
import { STOP_FIXTURES } from "#test/contract-fixtures-stop";
import type { Fixture, World } from "#test/contract-fixture";
import { each } from "#test/contract-cases";
import { knownId } from "#test/contract-kinds-number";
import type { Kind } from "#test/contract-cases";

const NEWER: Readonly<Record<string, Fixture>> = {
  ...SESSION_FIXTURES,
  ...ACTIVITY_FIXTURES,
  ...STOP_FIXTURES,
  ...TAG_FIXTURES,
  ...POOL_FIXTURES,
  ...PRIZE_FIXTURES,
  ...RECORD_FIXTURES,
  ...RECONCILIATION_FIXTURES,
  ...SHEET_FIXTURES,
  ...EXTRA_TIME_FIXTURES,
  ...INGEST_FIXTURES,
  ...DRAW_FIXTURES,
};

function newer(name: string): Fixture {
  const fixture = NEWER[name];
  if (fixture === undefined) {
    throw new Error(`there is no fixture of ${name}`);
  }
  return fixture;
}

/** As its newer twin, with the id in the body. */
function withIdInBody(
  name: string,
  unknown: "activity_not_found" | "prize_not_found",
  own: ((world: World) => number) | null,
): Fixture {
  const { params: _, ...twin } = newer(name);
  return {
    ...twin,
    async valid(world) {
      const { params, body } = await twin.valid(world);
      return { body: { ...body, ...params } };
    },
    fields(world) {
      const known: Kind = own === null ? [] : each([String(own(world)), `"${own(world)}"`], {});
      return {
        ...twin.fields?.(world),
        id: [...known, ...knownId({ against: unknown, code: 404 })],
      };
    },
  };
}

const OLDER: Readonly<Record<string, Fixture>> = {
  "POST /red/act/add": newer("POST /gred/api/act"),
  "POST /red/act/modify": withIdInBody(
    "PUT /gred/api/act/update/{id}",
    "activity_not_found",
    ({ stage }) => stage.paused.rounds_id,
  ),
  "POST /red/act/delete": withIdInBody("DELETE /gred/api/act/{id}", "activity_not_found", null),
  "POST /red/award/add": newer("POST /gred/api/prize"),
  "POST /red/award/modify": withIdInBody(
    "PUT /gred/api/prize/{id}",
    "prize_not_found",
    ({ stage }) => stage.spare.prize_id,
  ),
  "POST /red/award/delete": withIdInBody("DELETE /gred/api/prize/{id}", "prize_not_found", null),
};

const FIXTURES = { ...NEWER, ...OLDER };

/** A call that writes, with its fixture; a call without one is named by `missingFixtures`. */
export interface Write extends NamedRoute {
  readonly fixture: Fixture;
}

const WRITES = everyRoute().filter(({ route }) => !["read", "download"].includes(route.access));

/** Every call that writes and has a fixture. */
export function everyWrite(): Write[] {
  return WRITES.flatMap((write) => {
    const fixture = Object.hasOwn(FIXTURES, write.name) ? FIXTURES[write.name] : undefined;
    return fixture === undefined ? [] : [{ ...write, fixture }];
  });
}

/** Calls that write without a fixture, and fixtures of calls that there are not. */
export function missingFixtures(): string[] {
  const names = new Set(WRITES.map(({ name }) => name));
  return [
    ...WRITES.filter(({ name }) => !Object.hasOwn(FIXTURES, name)).map(({ name }) => name),
    ...Object.keys(FIXTURES).filter((name) => !names.has(name)),
  ];
}
