/** The view of finance afterwards: chances, sheets and their files, the wallet's statement. */
import { claim, claimEqual } from "../claims.ts";
import { shown } from "../context.ts";
import type { Round } from "../context.ts";
import { dig } from "../json.ts";
import { cents, sumOf } from "../money.ts";
import { inFlight } from "../platform.ts";
import { sheetFigures } from "../workbook.ts";
import type { Acks } from "./acks.ts";
import { readLedger } from "./evidence.ts";
import { CENTS_PER_DRAW, DEPOSITORS, EXTRA_TIMES, playerId } from "./scene.ts";
import type { Scene } from "./scene.ts";
import type { Site } from "./stage.ts";

const NOTHING = { count: 0, amount: "0.00" };

/** Compares the chances with this client's own calculation from accepted deposits. */
async function compareChances(stage: Site, scene: Scene, acks: Acks): Promise<void> {
  const sums = new Map<string, bigint>();
  for (const { player_id, amount, created_at } of acks.deposits.values()) {
    const at = Date.parse(created_at);
    if (at >= scene.window.from && at < scene.window.until) {
      sums.set(player_id, (sums.get(player_id) ?? 0n) + cents(amount));
    }
  }
  const drawn = new Map<string, number>();
  for (const { ask } of acks.drawn.values()) {
    const key = `${ask.rounds_id} ${ask.player_id}`;
    drawn.set(key, (drawn.get(key) ?? 0) + 1);
  }
  const players = Array.from({ length: DEPOSITORS }, (_, player) => playerId(player));
  const off = await inFlight(players, 4, async (player_id) => {
    const path = `/open/v1/rounds/${scene.earned.id}/chances?player_id=${player_id}`;
    const { body } = await stage.platform.call("GET", path, null);
    const total = Number((sums.get(player_id) ?? 0n) / CENTS_PER_DRAW);
    const already = drawn.get(`${scene.earned.id} ${player_id}`) ?? 0;
    const isSame = dig(body, "total") === total && dig(body, "already") === already;
    return isSame && already <= total ? null : { player_id, total, already, body };
  });
  const differences = off.filter((one) => one !== null);
  claim("I9 chances are what the deposits earn", differences.length === 0, differences.slice(0, 3));
  const granted = await stage.database.count("extra_time");
  claimEqual("I8 no extra time is lost or made", granted, DEPOSITORS * (EXTRA_TIMES + 1));
}

/** Totals of a round's sheet file, by label. */
async function readFile({ base, token }: Site, round: Round) {
  const path = `/gred/api/act/${round.id}/sheet/export?format=xlsx`;
  const answer = await fetch(`${base}${path}`, { headers: { token } });
  return sheetFigures(Buffer.from(await answer.arrayBuffer()));
}

async function compareSheet(stage: Site, round: Round, acks: Acks): Promise<void> {
  const draws = [...acks.drawn.values()].filter(({ ask }) => ask.rounds_id === round.id);
  const drawn = {
    count: draws.length,
    amount: sumOf(draws.map(({ award_price }) => award_price)),
  };
  const booked = readLedger(stage.ledger).credits.filter(({ rounds_id }) => rounds_id === round.id);
  const listed = { count: booked.length, amount: sumOf(booked.map(({ amount }) => amount)) };
  const sheet = await stage.operator.data("GET", `/gred/api/act/${round.id}/sheet`, null);
  const wallet = dig(sheet, "wallet");
  claimEqual(
    `I5 the sheet of "${round.name}" ties out to 0.00`,
    [dig(sheet, "difference"), dig(sheet, "drawn"), dig(sheet, "lines", "paid")],
    [NOTHING, drawn, listed],
  );
  claimEqual(
    `I5 and with the wallet's statement`,
    [dig(wallet, "covered"), dig(wallet, "listed"), dig(wallet, "difference")],
    [true, listed, NOTHING],
  );
  const file = await readFile(stage, round);
  claimEqual(
    `I5 and in its file`,
    ["差额", "已到账与对账单之差", "已抽出"].map((label) => file.get(label)),
    [NOTHING, NOTHING, drawn],
  );
}

/** `since` is the start of the run, in milliseconds. */
export async function tieOut(stage: Site, scene: Scene, acks: Acks, since: number): Promise<void> {
  await compareChances(stage, scene, acks);
  const from = shown(since - 60_000);
  const compared = await stage.redctl(`reconcile --from "${from}" --json`);
  claim("I5 redctl reconcile finds no difference", compared.code === 0, compared);
  for (const round of [scene.free, scene.paused, scene.earned, scene.granted]) {
    await compareSheet(stage, round, acks);
  }
  const verified = await stage.redctl("verify --json");
  claim("I10 redctl verify finds every invariant held", verified.code === 0, verified);
  claim("I10 records are sealed", (await stage.database.count("seal")) > 0);
}
