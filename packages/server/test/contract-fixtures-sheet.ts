/** Fixtures of the sheets of rounds. */
import { newSeed, seedPurpose } from "#identity/authenticator";
import { readSheet } from "#finance/sign-sheet";
import { trace } from "#test/contract-fixture";
import type { Fixture, World } from "#test/contract-fixture";
import { each, few, one } from "#test/contract-cases";
import { knownId } from "#test/contract-kinds-number";
import { freeText, passing } from "#test/contract-kinds-text";
import type { Kind } from "#test/contract-cases";
import { makeRound } from "#test/factories";
import { codeAt } from "#test/operator-factory";
import { TEST_SETTINGS } from "#test/test-app";

const DAY_MS = 86_400_000;

/** A code of root-op that was not used yet: of an authenticator that was bound just now. */
export async function freshCode({ db, app }: Pick<World, "app" | "db">): Promise<string> {
  const { id } = await db
    .selectFrom("operator")
    .select("id")
    .where("name", "=", "root-op")
    .executeTakeFirstOrThrow();
  const seed = newSeed();
  const totp_secret = app.services.secrets.seal(seedPurpose(id), seed);
  await db
    .updateTable("operator")
    .set({ totp_secret, totp_step: null })
    .where("id", "=", id)
    .execute();
  return codeAt(seed, new Date());
}

/** A round that is over and from which nothing was drawn. */
async function endedRound({ db }: World): Promise<number> {
  const { rounds_id } = await makeRound(db, {
    start_time: new Date(Date.now() - 2 * DAY_MS),
    end_time: new Date(Date.now() - DAY_MS),
  });
  return rounds_id;
}

const HASHES: Kind = [
  ...one("absent", null, { refuse: "not_a_text" }),
  ...each(["null", "7", "[]", "{}", "true"], { refuse: "not_a_text" }),
  ...each(['""', '"x"', '"<script>"', `"${"A".repeat(64)}"`, `"${"a".repeat(65)}"`], {
    refuse: "not_in_set",
  }),
  ...each([`"${"a".repeat(64)}"`], { against: "sheet_changed", code: 409 }),
];

/** Fixtures of sheets by method and path. */
export const SHEET_FIXTURES: Readonly<Record<string, Fixture>> = {
  "POST /gred/api/act/{id}/sheet/sign": {
    async valid(world) {
      const id = await endedRound(world);
      const { hash } = await readSheet(world.db, id, TEST_SETTINGS.timeZone);
      return { params: { id }, body: { hash, code: await freshCode(world) } };
    },
    params: () => ({ id: knownId({ against: "activity_not_found", code: 404 }) }),
    fields: () => ({
      hash: HASHES,
      code: few(passing()),
      note: freeText(200, { isNullGood: true, isEmptyNull: true }),
    }),
    // A text that is no right code is asked for again.
    taken: [200, 402],
    trace: trace("sign_sheet", "activity", "after"),
  },
};
