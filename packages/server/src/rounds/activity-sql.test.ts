import { expect, test } from "vitest";
import { isSoldOut, weightTable } from "@red/engine/draw";
import { selectActivities } from "./activity-sql.ts";
import { makePrize, makeRound } from "#test/factories";
import { useTestDb } from "#test/test-db";

const t = useTestDb();

interface Kind {
  readonly weight: number;
  readonly drawn: number;
  readonly floors: boolean;
}

const TOTAL = 2;
const KINDS: readonly Kind[] = [0, 3].flatMap((weight) =>
  [0, TOTAL].flatMap((drawn) => [false, true].map((floors) => ({ weight, drawn, floors }))),
);

/** Every pool of one or two prizes; only one may be the guaranteed one (behaviour §5). */
const POOLS: readonly (readonly Kind[])[] = [
  ...KINDS.map((kind) => [kind]),
  ...KINDS.flatMap((one, index) => KINDS.slice(index).map((other) => [one, other])).filter(
    (kinds) => kinds.filter(({ floors }) => floors).length < 2,
  ),
];

async function makePoolOf([first, ...others]: readonly Kind[]): Promise<number> {
  const { rounds_id, pool_id, prize_id } = await makeRound(t.db);
  await t.db
    .updateTable("prize")
    .set({ award_total: TOTAL, ...first })
    .where("id", "=", prize_id)
    .execute();
  for (const kind of others) {
    await makePrize(t.db, { pool_id, award_total: TOTAL, ...kind });
  }
  return rounds_id;
}

test("a round is listed as sold out where the engine would refuse every draw", async () => {
  const expected = new Map<number, string | null>();
  for (const kinds of POOLS) {
    const prizes = kinds.map(({ weight, drawn, floors }, index) => ({
      id: index + 1,
      weight,
      left: TOTAL - drawn,
      floors,
    }));
    const gate = isSoldOut(weightTable(prizes)) ? "sold_out" : null;
    expected.set(await makePoolOf(kinds), gate);
  }
  const { rows } = await selectActivities(t.db, { page: 1, size: 500 }, "Asia/Shanghai");
  expect(new Map(rows.map(({ id, pool_gate }) => [id, pool_gate]))).toEqual(expected);
  expect(new Set(expected.values())).toEqual(new Set(["sold_out", null]));
});
