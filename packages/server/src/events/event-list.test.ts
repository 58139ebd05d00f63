import { buffer } from "node:stream/consumers";
import { betRoutes } from "@red/contract/events/bet";
import type { Bet } from "@red/contract/events/bet";
import { depositRoutes } from "@red/contract/events/deposit";
import type { Deposit } from "@red/contract/events/deposit";
import { eventExportRoutes } from "@red/contract/events/event-export";
import { formatCents } from "@red/contract/platform/money";
import { openDb, openPool } from "#platform/db/connection";
import { csvOf } from "#tables/csv-writer";
import type { Table } from "#tables/output-table";
import { arrivalOf } from "./event-columns.ts";
import { betTable, depositTable } from "./event-file.ts";
import { buildApp } from "#app";
import { cellsOf, download, openWindow, ticketFor } from "#test/downloads";
import { betOf, depositOf, feed, fresh, makeRound, takeBack } from "#test/ingest-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";

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

/** Returns the list of a kind. Its rows have only the fields of that kind. */
async function found(route: Route, query: Query): Promise<Found> {
  return (await app.read(route, { body: query })) as unknown as Found;
}

const deposits = async (query: Query) => await found(depositRoutes.list, query);
const bets = async (query: Query) => await found(betRoutes.list, query);

/** The amounts in these tests are whole units of the currency. */
function sumOf(amounts: readonly string[]): string {
  return formatCents(amounts.reduce((sum, amount) => sum + Math.round(Number(amount) * 100), 0));
}

const rounds_name = "周末红包A";
let rounds_id: number;

/** Times in UTC. The business day of Shanghai begins at 16:00 UTC of the previous day. */
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
      deposit: {
        order_no: fresh(at === 2 && who === 0 ? "=d" : "d"),
        channel: 1 + (at % 2),
        client: 1 + ((at + who) % 3),
      },
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
  // The row of Ben at 23:59:59 of the day.
  const at = 2 * 3 + 1;
  await takeBack(t.db, depositRows.slice(at, at + 1), { reason: "退款 BEN" });
  await takeBack(t.db, betRows.slice(at, at + 1), { reason: "重复" });
});

const TIME: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

describe("a row", () => {
  test("of a deposit shows the platform's data, and whether it was reversed", async () => {
    const query = { user_name: "BEN", start_date: "2024-05-10", size: 1 };
    expect(await deposits(query)).toEqual({
      content: [
        {
          user_name: "ben",
          amount: "2000.00",
          created_at: "2024-05-10 23:59:59",
          received_at: TIME,
          is_late: true,
          order_no: expect.stringMatching(/^d\d+$/),
          channel: 2,
          client: 2,
          reversed: true,
          reversed_at: TIME,
          reversal_reason: "退款 ben",
        },
      ],
      total: 2,
      // The reversed row is listed and counted, but its amount does not count.
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
          received_at: TIME,
          is_late: true,
          bet_no: expect.stringMatching(/^b\d+$/),
          voided: true,
          voided_at: TIME,
          void_reason: "重复",
        },
      ],
      total: 2,
      betlogTotal: "200.00",
    });
  });
});

test("a row is late a minute after its time, and not when its arrival is not known", () => {
  const created_at = new Date(0);
  const late = (received_at: Date | null) => arrivalOf({ created_at, received_at }, String).is_late;
  const arrivals = [new Date(59_999), new Date(60_000), null];
  expect(arrivals.map(late)).toEqual([false, true, false]);
});

/** The indexes in TIMES that each time filter matches. */
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
  // The window of the round replaces every other time filter.
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
    const rows = Array.from({ length: 45 }, () => depositOf(player, { created_at, channel: 9 }));
    await feed(t.db, "deposits", rows);
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

const route = eventExportRoutes.exportFile;
const DAY = { start_time: "2024-05-10 00:00:00", end_time: "2024-05-10 23:59:59" };

type Filters = Record<string, string | number>;

async function cellsIn(filters: Filters) {
  return cellsOf(await download(app, route, filters));
}

describe("a file", () => {
  const [late, early] = ["2024-05-10 23:59:59", "2024-05-10 00:00:00"];
  const [d, b] = [/^=?d\d+$/, /^b\d+$/].map((no): unknown => expect.stringMatching(no));

  test("of deposits has every match, newest first, under Chinese labels", async () => {
    const response = await download(app, route, { kind: "deposit", ...DAY });
    expect(response.headers["content-disposition"]).toContain(encodeURIComponent("存款记录.xlsx"));
    expect(cellsOf(response)).toEqual([
      "账号 存款金额 存款时间 存款单号 渠道 客户端 状态 冲正时间 冲正原因".split(" "),
      ["ben", 2000, late, d, "ATM", "wap", "已冲正", TIME, "退款 ben"],
      ["Anna", 1000, late, d, "ATM", "web", "有效", "", ""],
      ["ben", 200, early, d, "人工存款", "web", "有效", "", ""],
      ["Anna", 100, early, d, "人工存款", "app", "有效", "", ""],
    ]);
    const csv = await download(app, route, { kind: "deposit", format: "csv", ...DAY });
    expect(csv.headers["content-type"]).toBe("text/csv; charset=utf-8");
    const lines = csv.body.split("\r\n");
    expect(lines[0]).toMatch(/^\uFEFF账号,存款金额,.*,冲正原因$/);
    expect(lines[4]).toMatch(/^Anna,100\.00,2024-05-10 00:00:00,'=d\d+,人工存款,app,有效,,$/);
  });

  test("of bets has every match, newest first, under Chinese labels", async () => {
    expect(await cellsIn({ kind: "betlog", ...DAY })).toEqual([
      "账号 有效投注额 平台 投注时间 注单号 状态 作废时间 作废原因".split(" "),
      ["ben", 2000, "真人", late, b, "已作废", TIME, "重复"],
      ["Anna", 1000, "捕鱼", late, b, "有效", "", ""],
      ["ben", 200, "捕鱼", early, b, "有效", "", ""],
      ["Anna", 100, "真人", early, b, "有效", "", ""],
    ]);
  });

  /** The amounts that each filter finds. Bets ignore the day and the name of a round, as the specification says. */
  test.each<[Filters, number[]]>([
    [{ kind: "deposit", start_date: "2024-05-10", rounds_name }, [2000, 1000, 200, 100]],
    [{ kind: "deposit", ...DAY, user_name: "ANNA" }, [1000, 100]],
    [{ kind: "deposit", ...DAY, user_name: "nobody" }, []],
    [{ kind: "deposit", ...DAY, channel: 1, client: 3 }, [100]],
    [{ kind: "betlog", ...DAY, start_date: "2024-05-11" }, [2000, 1000, 200, 100]],
    [{ kind: "betlog", ...DAY, rounds_name: "no such round" }, [2000, 1000, 200, 100]],
    [{ kind: "betlog", ...DAY, type: 7234 }, [1000, 200]],
  ])("takes its filters: %j", async (filters, amounts) => {
    expect((await cellsIn(filters)).slice(1).map((cells) => cells[1])).toEqual(amounts);
  });

  test("of bets takes a round by its id", async () => {
    expect(await cellsIn({ kind: "betlog", rounds_id })).toHaveLength(5);
  });

  const noDates = { code: 400, msg: "请选择要导出的日期" };
  const noRound = { code: 404, msg: "活动不存在或已删除" };

  test.each<[Filters, object]>([
    [{ kind: "deposit" }, noDates],
    [{ kind: "deposit", user_name: "anna" }, noDates],
    [{ kind: "deposit", start_time: DAY.start_time }, noDates],
    [{ kind: "betlog" }, noDates],
    [{ kind: "betlog", user_name: "anna" }, noDates],
    [{ kind: "betlog", start_time: DAY.start_time }, noDates],
    // Bets ignore this field, so the request has no date filter.
    [{ kind: "betlog", start_date: "2024-05-10" }, noDates],
    [{ kind: "deposit", rounds_id: 999_999 }, noRound],
    [{ kind: "deposit", rounds_name, start_date: "2024-05-12" }, noRound],
  ])("is refused for %j", async (filters, refusal) => {
    expect((await download(app, route, filters)).json()).toMatchObject(refusal);
  });
});

test("a database without a free connection is an error, not a file", async () => {
  const connection = { host: "127.0.0.1", port: 1, user: "red", database: "none" };
  const options = { max: 1, name: "none", statementTimeoutMs: 1, onFault: () => {} };
  const exportDb = openDb(openPool(connection, options));
  const cut = await buildApp({ ...app.deps, exportDb });
  onTestFinished(async () => {
    await cut.close();
    await exportDb.destroy();
  });
  for (const format of ["csv", "xlsx"]) {
    const filters = { kind: "deposit", format, ...DAY };
    const response = await openWindow({ app: cut }, route, filters, app.token);
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject({ code: 503, data: null });
    expect(response.headers["content-type"]).toContain("application/json");
    expect(response.headers).not.toHaveProperty("content-disposition");
  }
});

test("codes that no table has are written as unknown", async () => {
  async function* one<Row>(row: Row): AsyncGenerator<Row[]> {
    yield [row];
  }
  const lineOf = async (table: Table) => (await buffer(csvOf(table))).toString("utf8");
  const arrival = { received_at: null, is_late: false };
  const common = { user_name: "anna", created_at: "2026-11-20 20:00:00", ...arrival };
  const deposit = { amount: "1.00", order_no: "d", channel: 10, client: 7, reversed: false };
  const back = { reversed_at: null, reversal_reason: null, voided_at: null, void_reason: null };
  expect(await lineOf(depositTable(one({ ...common, ...deposit, ...back })))).toContain(
    ",未知(10),未知(7),",
  );
  const bet = { validBetAmount: "1.00", bet_no: "b", type: 9234, voided: false };
  expect(await lineOf(betTable(one({ ...common, ...bet, ...back })))).toContain(",未知(9234),");
});

test("a HEAD request does not use up a file's ticket", async () => {
  const filters = { kind: "deposit", ...DAY };
  const token = await ticketFor(app, route, filters);
  const query = { ...filters, token };
  const { statusCode } = await app.app.inject({ method: "HEAD", url: route.path, query });
  expect(statusCode).toBe(404);
  expect((await openWindow(app, route, filters, token)).statusCode).toBe(200);
});
