/** Writes of a game platform and of the wallet. */
import { unused, writes } from "#test/contract-world";
import type { Fixture, World } from "#test/contract-world";
import { makePlayer, makeRecords } from "#test/factories";
import { betOf, depositOf, feed } from "#test/ingest-factory";

/** Neighbouring months: each has its own partition. */
const AT = { created_at: "2024-05-10T04:00:00.000Z" };

/** By a new player with five draws. */
async function aDraw({ db, open }: World) {
  const { player_id } = await makePlayer(db, { player_id: unused("drawing") });
  return { request_id: unused("r"), rounds_id: open.rounds_id, player_id };
}

const UNAUDITED = { none: "the record is the trace, sealed in a chain of its own" };

function feeding(list: "players" | "deposits" | "bets", row: () => object): Fixture {
  return writes(`ingest_${list} ${list.slice(0, -1)} after`, async () => ({
    body: { [list]: [row()] },
  }));
}

const account = () => ({ user_name: unused("account"), ...AT });

export const PLATFORM_WRITES: Readonly<Record<string, Fixture>> = {
  "POST /open/v1/players": feeding("players", () => ({
    player_id: unused("fed"),
    user_name: unused("account"),
  })),
  "POST /open/v1/deposits": feeding("deposits", () =>
    depositOf(unused("fed"), { order_no: unused("d"), ...account() }),
  ),
  "POST /open/v1/bets": feeding("bets", () =>
    betOf(unused("fed"), { bet_no: unused("b"), ...account() }),
  ),
  "POST /open/v1/deposits/reversals": writes("reverse_deposits deposit after", async ({ db }) => {
    const row = depositOf(unused("fed"), { order_no: unused("d"), ...account() });
    await feed(db, "deposits", [row]);
    return { body: { reversals: [{ order_no: row.order_no, ...AT }] } };
  }),
  "POST /open/v1/bets/voids": writes("void_bets bet after", async ({ db }) => {
    const row = betOf(unused("fed"), { bet_no: unused("b"), ...account() });
    await feed(db, "bets", [row]);
    return { body: { voids: [{ bet_no: row.bet_no, ...AT }] } };
  }),
  "POST /open/v1/draws": {
    valid: async (world) => ({ body: await aDraw(world) }),
    trace: UNAUDITED,
  },
  "POST /open/v1/draws/batch": {
    valid: async (world) => ({ body: { draws: [await aDraw(world)] } }),
    trace: UNAUDITED,
  },
  "POST /open/v1/payouts/{trans_sn}/result": writes(
    "take_payout_word payout before after",
    async ({ db, over, player }) => {
      const sent = { state: "unknown", payout: { attempts: 1 } } as const;
      const [made] = await makeRecords(db, over, player, [sent]);
      const { log_id = 0, trans_sn = "" } = made ?? {};
      // The wallet can only report a payout that was sent.
      await db.insertInto("payout_attempt").values({ log_id, no: 1, kind: "pay" }).execute();
      return { params: { trans_sn }, body: { status: "paid", amount: "8.88" } };
    },
  ),
};
