/** Names in typed texts become references, and references become names again. Other words do not change. */
import { trimmedText } from "@red/contract/platform/fields";
import { makePlayer } from "#test/factories";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import {
  accountRef,
  cutTexts,
  holdsName,
  mayName,
  playersIn,
  referText,
  withNames,
} from "./player-names.ts";

const t = useTestDb();
const keys = new Map<string, number>();
/** Shows references as `<account>`, so that the test table is readable. */
const seen = async (text: string, own: readonly number[] = []) =>
  await withNames(
    t.db,
    (await referText(t.db, text, own)).replaceAll(/[\ue000-\ue001]/g, (one) =>
      one === "\ue000" ? `<${one}` : `${one}>`,
    ),
  );
const keyOf = (name: string) => keys.get(name) ?? 0;

async function rename(player_key: number, user_name: string): Promise<void> {
  await t.sql`update player set user_name = ${user_name} where player_key = ${player_key}`;
}

beforeAll(async () => {
  const accounts = [
    "Wipe-93143",
    "张三",
    "Li Wei",
    "59",
    "zz-7.(x)",
    "p1",
    "10086",
    "was-here",
  ].concat(["abc777x", "李\u200d四", "が9"]);
  for (const user_name of accounts) {
    keys.set(user_name, (await makePlayer(t.db, { user_name })).player_key);
  }
  const other = await makePlayer(t.db, { player_id: "10086", user_name: "other" });
  keys.set("other", other.player_key);
  await rename(keyOf("was-here"), "now-there");
});

describe("what counts as a name", () => {
  test.each([
    ["玩家wipe-93143已销户，编号Wipe-93143作废", "玩家<Wipe-93143>已销户，编号<Wipe-93143>作废"],
    ["因张三刷单暂停", "因<张三>刷单暂停"],
    ["Li  Wei, li wei; Liwei", "Li  Wei, <Li Wei>; Liwei"],
    ["p1 and P1, p12, xp1", "<p1> and <p1>, p12, xp1"],
    ["see zz-7.(x).", "see <zz-7.(x)>."],
    ["at 23:59:58", "at 23:<59>:58"],
    ["was-here is now-there", "<was-here> is <now-there>"],
    ["客户\u200babc777x\u200b投诉", "客户\u200b<abc777x>\u200b投诉"],
    ["abc777x\u200e, 由\ufeffabc777x", "<abc777x>\u200e, 由\ufeff<abc777x>"],
    ["abc\u00ad777x\u034f，ａｂｃ７７７Ｘ。", "<abc777x>\u034f，<abc777x>。"],
    [
      "abc777xさん abc777xｻﾝ abc777x님 abc777xครับ",
      "<abc777x>さん <abc777x>ｻﾝ <abc777x>님 <abc777x>ครับ",
    ],
    ["李\u200d四, 李四, か\u30999さん", "<李\u200d四>, 李四, <が9>さん"],
    ["no player here", "no player here"],
    ["", ""],
  ])("%s", async (text, expected) => {
    expect(await seen(text)).toBe(expected);
  });
});

test("of one player's names nothing is left in their own texts, and references and other names stay", async () => {
  const texts = [`10086 and P1, ${accountRef(keyOf("p1"))}`, "退回WAS-HERE/now-there", "10086-1"];
  expect(await cutTexts(t.db, texts, keyOf("other"), "x")).toEqual([
    `x and P1, ${accountRef(keyOf("p1"))}`,
    "退回WAS-HERE/now-there",
    "x-1",
  ]);
  expect(await cutTexts(t.db, texts, keyOf("was-here"), "x")).toEqual([
    texts[0],
    "退回x/x",
    texts[2],
  ]);
});

test.each([
  ["因Ａbc\u200b777x投诉", true, true],
  ["xabc777xabc777x", true, true],
  ["因59暂停", true, false],
  [`p59, 591, ${accountRef(59)}`, false, false],
])("%j may name abc777x or 59: %s, as a kept text: %s", async (text, may, mayKept) => {
  const names = ["Abc777x", "59"];
  const { rows } = await sql<{ holds: boolean }>`
    select ${holdsName(sql`t`, names)} as holds from (values (${text}::text)) v (t)`.execute(t.db);
  expect([mayName(text, names), mayName(text, names, true)]).toEqual([may, mayKept]);
  expect(rows[0]?.holds || !may).toBe(true);
});

test("a name that two players share is that of the one whom the text is about", async () => {
  const about = async (own: number[]) => playersIn(await referText(t.db, "10086 cheats", own));
  expect(await about([])).toEqual([keyOf("10086")]);
  expect(await about([keyOf("other")])).toEqual([keyOf("other")]);
});

test("a later owner of an account does not get an earlier text", async () => {
  const stored = await referText(t.db, "now-there asked");
  await rename(keyOf("was-here"), "third name");
  const later = await makePlayer(t.db, { user_name: "now-there" });
  expect(playersIn(stored)).toEqual([keyOf("was-here")]);
  expect(await withNames(t.db, stored)).toBe("now-there asked");
  expect(playersIn(await referText(t.db, "now-there asked"))).toEqual([later.player_key]);
  expect(await withNames(t.db, accountRef(keyOf("was-here")))).toBe("third name");
});

test("once a player is erased, every reference reads as the name that is left", async () => {
  const stored = [await referText(t.db, "p1 asked"), accountRef(keyOf("p1"))];
  await t.sql`update player set user_name = 'erased-1', player_id = 'erased-1', blocked = true, erased_at = now()
    where player_key = ${keyOf("p1")}`;
  await t.sql`delete from former_name where player_key = ${keyOf("p1")}`;
  const at = new Date();
  expect(await withNames(t.db, { at, stored })).toEqual({
    at,
    stored: ["erased-1 asked", "erased-1"],
  });
});

test("nobody can type a reference", () => {
  expect(trimmedText("enter_reason", 9).safeParse("\uE0001\uE001").success).toBe(false);
});
