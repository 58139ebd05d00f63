import { betRoutes } from "@red/contract/bet";
import type { Bet } from "@red/contract/bet";
import { depositRoutes } from "@red/contract/deposit";
import type { Deposit } from "@red/contract/deposit";
import { formatCents } from "@red/contract/money";
import { betOf, depositOf, feed, fresh, makeRound, takeBack } from "#test/ingest-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { beforeAll, describe, expect, test } from "vitest";

const t = useTestDb();
const app = useTestApp(t);

type Query = Readonly<Record<string, string | number | null>>;
type Route = typeof depositRoutes.list | typeof betRoutes.list;

type Row = Deposit & Bet;

interface Found {
  readonly content: readonly Row[];
  readonly total: number;
  readonly depositTotal?: string;
  readonly betlogTotal?: string;
}

/** The list of a kind; its rows have the fields of that kind alone. */
async function found(route: Route, query: Query): Promise<Found> {
  const answer = await app.call(route, { body: query });
  expect(answer).toMatchObject({ code: 200, msg: "success" });
  // The application checks every answer against the contract in tests.
  return answer.data as Found;
}

const deposits = async (query: Query) => await found(depositRoutes.list, query);
const bets = async (query: Query) => await found(betRoutes.list, query);

/** Amounts are whole units of the currency here. */
function sumOf(amounts: readonly string[]): string {
  return formatCents(amounts.reduce((sum, amount) => sum + Math.round(Number(amount) * 100), 0));
}

const rounds_name = "周末红包A";
let rounds_id: number;

/** Times in UTC: the business day of Shanghai begins at 16:00 of the day before. */
const TIMES = [
  "2024-04-30T15:59:59.999Z",
  "2024-05-09T15:59:59.999Z",
  "2024-05-09T16:00:00.000Z",
  "2024-05-10T15:59:59.999Z",
  "2024-05-10T16:00:00.000Z",
  "2024-06-02T00:00:00.000Z",
] as const;

beforeAll(async () => {
  rounds_id = await makeRound(t.db, { rounds_name });
  const rows = TIMES.flatMap((created_at, at) =>
    ["Anna", "ben"].map((player_id, who) => ({
      whose: { player_id, user_name: player_id, created_at },
      amount: String(10 ** at * (who + 1)),
      deposit: { order_no: fresh("d"), channel: 1 + (at % 2), client: 1 + ((at + who) % 3) },
      bet: { bet_no: fresh("b"), platform: (at + who) % 2 === 0 ? 1234 : 7234 },
    })),
  );
  const depositRows = rows.map((row) =>
    depositOf("", { ...row.whose, ...row.deposit, amount: row.amount }),
  );
  const betRows = rows.map((row) =>
    betOf("", { ...row.whose, ...row.bet, valid_bet_amount: row.amount }),
  );
  await feed(t.db, "deposits", depositRows);
  await feed(t.db, "bets", betRows);
  // Ben's at 23:59:59 of the day.
  const at = 2 * 3 + 1;
  await takeBack(t.db, depositRows.slice(at, at + 1), { reason: "退款" });
  await takeBack(t.db, betRows.slice(at, at + 1));
});

describe("a row", () => {
  test("of a deposit shows the platform's data, and whether it was reversed", async () => {
    const query = { user_name: "BEN", start_date: "2024-05-10", size: 1 };
    expect(await deposits(query)).toEqual({
      content: [
        {
          user_name: "ben",
          amount: "2000.00",
          created_at: "2024-05-10 23:59:59",
          order_no: expect.stringMatching(/^d\d+$/),
          channel: 2,
          client: 2,
          reversed: true,
          reversed_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
          reversal_reason: "退款",
        },
      ],
      total: 2,
      // The reversed one is listed and counted, but not in the sum.
      depositTotal: "200.00",
    });
  });

  test("of a bet shows platform and valid amount, and whether it is void", async () => {
    const query = { user_name: "ben", start_date: "2024-05-10", size: 1 };
    expect(await bets(query)).toEqual({
      content: [
        {
          user_name: "ben",
          validBetAmount: "2000.00",
          type: 1234,
          created_at: "2024-05-10 23:59:59",
          bet_no: expect.stringMatching(/^b\d+$/),
          voided: true,
          voided_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
          void_reason: null,
        },
      ],
      total: 2,
      betlogTotal: "200.00",
    });
  });
});

/** The TIMES that each time filter matches. */
const TIME_FILTERS: readonly [query: Query, found: readonly number[]][] = [
  [{}, [0, 1, 2, 3, 4, 5]],
  [{ start_date: "2024-05-10" }, [2, 3]],
  [{ start_date: "2024-05-10", start_time: "2024-05-10 00:00:01" }, [3]],
  [{ start_date: "2024-05-10", end_time: "2024-05-31 00:00:00" }, [2, 3]],
  [{ start_time: "2024-05-10 00:00:00" }, [2, 3, 4, 5]],
  [{ end_time: "2024-05-10 23:59:59" }, [0, 1, 2, 3]],
  [{ start_time: "2024-05-10 23:59:59", end_time: "2024-05-11 00:00:00" }, [3, 4]],
  [{ start_time: "2024-05-11 00:00:00", end_time: "2024-05-10 00:00:00" }, []],
  [{ start_time: "1971-01-01 00:00:00", end_time: "9998-12-31 23:59:59" }, [0, 1, 2, 3, 4, 5]],
  [{ rounds_name, start_date: "2024-05-10" }, [2, 3]],
  // The round's window is the time filter, whatever else is given.
  [{ rounds_name, start_date: "2024-05-10", start_time: "2024-06-01 00:00:00" }, [2, 3]],
];

const WHO = [{}, { user_name: "Ben" }, { user_name: "nobody" }];

describe("the filters", () => {
  const byNumber = () => [...TIME_FILTERS, [{ rounds_id }, [2, 3]] as const];

  const KINDS = [
    {
      name: "deposits",
      route: depositRoutes.list,
      kinds: [{}, { channel: "1", client: 2 }, { client: 3 }],
      answer: (wanted: readonly Row[]) => ({
        depositTotal: sumOf(wanted.filter((row) => !row.reversed).map((row) => row.amount)),
      }),
    },
    {
      name: "bets",
      route: betRoutes.list,
      kinds: [{}, { type: "7234" }],
      answer: (wanted: readonly Row[]) => ({
        betlogTotal: sumOf(wanted.filter((row) => !row.voided).map((row) => row.validBetAmount)),
      }),
    },
  ];

  test.each(KINDS)(
    "of $name hold together, and totals are of all that they find",
    async ({ route, kinds, answer }) => {
      const everything = (await found(route, { size: 1000 })).content;
      expect(everything).toHaveLength(12);
      for (const [time, places] of byNumber()) {
        const shown = new Set(places.map((at) => 2 * (5 - at)));
        for (const query of WHO.flatMap((who) =>
          kinds.map((kind): Query => ({ ...time, ...who, ...kind })),
        )) {
          const isMeant = (row: Row) =>
            (["channel", "client", "type"] as const).every(
              (field) => query[field] === undefined || row[field] === Number(query[field]),
            );
          const whose = query["user_name"]?.toString().toLowerCase();
          const wanted = everything.filter(
            (row, at) =>
              shown.has(at - (at % 2)) &&
              (whose === undefined || row.user_name.toLowerCase() === whose) &&
              isMeant(row),
          );
          expect([query, await found(route, query)]).toEqual([
            query,
            { content: wanted, total: wanted.length, ...answer(wanted) },
          ]);
        }
      }
    },
  );

  test("ignore null, empty and unknown fields", async () => {
    const empty = { user_name: "", start_time: null, channel: "", type: null, kind: "deposit" };
    expect((await deposits(empty)).total).toBe(12);
    expect((await bets(empty)).total).toBe(12);
  });

  test("need an existing round, by its id or by day and name", async () => {
    const noRound = { code: 404, msg: "活动不存在或已删除" };
    const ask = async (body: object) => [
      await app.call(depositRoutes.list, { body }),
      await app.call(betRoutes.list, { body }),
    ];
    const other = { rounds_name, start_date: "2024-05-11" };
    expect(await ask(other)).toMatchObject([noRound, noRound]);
    expect(await ask({ rounds_id: 999_999 })).toMatchObject([noRound, noRound]);
    expect(await ask({ rounds_id: Number.MAX_SAFE_INTEGER })).toMatchObject([noRound, noRound]);
    const noDay = { code: 400, msg: "请选择活动日期" };
    expect(await ask({ rounds_name })).toMatchObject([noDay, noDay]);
  });
});

describe("paging", () => {
  test("has no gap and no repetition, also within one millisecond", async () => {
    const created_at = "2024-07-01T00:00:00.000Z";
    const player = fresh("pager");
    await feed(
      t.db,
      "deposits",
      Array.from({ length: 45 }, () => depositOf(player, { created_at, channel: 9 })),
    );
    for (const who of [{}, { user_name: `${player}-name` }]) {
      const query = { channel: 9, ...who };
      const whole = (await deposits({ ...query, size: 1000 })).content;
      expect(whole).toHaveLength(45);
      const pages = await Promise.all([1, 2, 3, 4].map((page) => deposits({ ...query, page })));
      expect(pages.map(({ content }) => content.length)).toEqual([20, 20, 5, 0]);
      expect(pages.flatMap(({ content }) => content)).toEqual(whole);
      expect(new Set(whole.map((row) => row.order_no)).size).toBe(45);
      expect(pages.map(({ total, depositTotal }) => [total, depositTotal])).toEqual(
        pages.map(() => [45, "4500.00"]),
      );
    }
  });
});
