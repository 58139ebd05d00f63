/** The results of ingest calls about their rows, in the answer and in the metrics. */
import { ingestedRowsTotal } from "#platform/http/metrics";
import { betOf, depositOf, fresh } from "#test/ingest-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { expect, test } from "vitest";
import { rejected } from "./ingest-rows.ts";

const app = useTestApp(useTestDb());

test.each([
  "conflict",
  "number_again",
  "player_mismatch",
  "not_found",
  "created_at_range",
  "created_at_detached",
  "created_at_full",
] as const)("a rejection says in both languages why: %s", (reason) => {
  expect(rejected(reason, "zh").message).toMatch(/\p{Script=Han}{4}/u);
  expect(rejected(reason, "en").message).toMatch(/^[\w ():,-]{20,}$/);
});

test("each call counts its rows by what became of them", async () => {
  const counts = async () => {
    const { values } = await ingestedRowsTotal.get();
    return new Map(
      values.map((one) => [`${one.labels["kind"]} ${one.labels["verdict"]}`, one.value]),
    );
  };
  const before = await counts();
  const player = { player_id: fresh("p"), user_name: fresh("n") };
  const [deposit, bet] = [depositOf("", player), betOf("", player)];
  const { created_at, order_no, bet_no } = { ...bet, ...deposit };
  const renamed = { ...player, user_name: player.user_name.toUpperCase() };
  await app.open("POST", "/open/v1/players", { players: [player, player, renamed, {}, {}] });
  await app.open("POST", "/open/v1/deposits", { deposits: [deposit, deposit, {}, {}] });
  await app.open("POST", "/open/v1/bets", { bets: [bet, bet, {}, {}] });
  const [back, gone] = [
    { order_no, created_at },
    { bet_no, created_at: bet.created_at },
  ];
  await app.open("POST", "/open/v1/deposits/reversals", { reversals: [back, back, {}, {}] });
  await app.open("POST", "/open/v1/bets/voids", { voids: [gone, gone, {}, {}] });
  const more = [...(await counts())].map(([of, count]) => [of, count - (before.get(of) ?? 0)]);
  const wanted = ["player", "deposit", "bet", "reversal", "void"].flatMap((kind) =>
    Object.entries({
      accepted: 1,
      updated: kind === "player" ? 1 : 0,
      duplicate: 1,
      rejected: 2,
    }).map(([verdict, count]) => [`${kind} ${verdict}`, count] as const),
  );
  expect(Object.fromEntries(more)).toEqual(Object.fromEntries(wanted));
});
