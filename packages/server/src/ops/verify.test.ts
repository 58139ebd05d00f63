import { configOf, redctl as run } from "#test/redctl";
import { rowOf, rowsOf } from "#test/rows";
import { useTestDb } from "#test/test-db";
import { expect, test } from "vitest";

const t = useTestDb();

const redctl = async (words: string) => await run(() => configOf(t), words);

test("redctl seeds a demonstration, again and again", async () => {
  expect(await redctl("seed")).toMatchObject({ code: 2 });
  const wallet = { url: "http://127.0.0.1:1", key: "k", secret: "s" };
  const beside = await run(() => ({ ...configOf(t), wallet }), "seed --demo");
  expect(beside).toMatchObject({ code: 1, err: expect.stringContaining("WALLET_URL names") });
  expect(await redctl("seed --demo --json")).toEqual({
    code: 0,
    out: '{"demo":true,"days":1}\n',
    err: "",
  });
  expect(await redctl("seed --demo")).toMatchObject({ code: 0, err: "" });
  expect(await rowsOf(t.db, "pool")).toHaveLength(3);
});

test("redctl verifies: a line for each check, and exit code 0", async () => {
  const { code, out, err } = await redctl("verify");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const lines = out.trimEnd().split("\n");
  expect(lines).toHaveLength(15);
  expect(lines.filter((line) => !/^ok {5}\S.* \(§.*\), \d+ rows$/.test(line))).toEqual([
    "everything holds",
  ]);
  expect(out).toContain("ok     chances against raw deposits and bets (§4), 0 rows\n");
});

test("redctl names the first offence of each check that fails, and ends with 1", async () => {
  await t.sql`update prize set drawn = 3 where award_name = '智能手表'`;
  const { id } = await rowOf(t.db, "prize", { award_name: "智能手表" });
  const { code, out, err } = await redctl("verify");
  expect({ code, err }).toEqual({ code: 1, err: "" });
  expect(out).toContain(
    [
      "FAULT  stock against records (§5), 16 rows",
      `       prize id=${id}`,
      "       expected: drawn=0",
      "       found:    drawn=3",
      "",
    ].join("\n"),
  );
  expect(out).toMatch(/\n1 of the checks found a fault\n$/);

  const json = await redctl("verify --json");
  expect(json.code).toBe(1);
  const { ok, checks } = JSON.parse(json.out) as { ok: boolean; checks: { offence: unknown }[] };
  expect(ok).toBe(false);
  expect(checks.filter((check) => check.offence !== null)).toEqual([
    {
      name: "stock against records (§5)",
      checked: 16,
      unchecked: [],
      offence: { table: "prize", ids: { id }, expected: { drawn: 0 }, found: { drawn: 3 } },
    },
  ]);
});
