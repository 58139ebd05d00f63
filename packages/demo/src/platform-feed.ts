/** The demo platform's feed: players once, then deposits, bets and the odd reversal. */
import { randomUUID } from "node:crypto";
import { ingestRoutes } from "@red/contract/ingest";
import { CHANNEL_CODES, CLIENT_CODES, PLATFORM_CODES } from "@red/contract/lookups";
import { formatCents } from "@red/contract/money";
import { PLAYERS, betCents, between, depositCents, pick } from "./platform-players.ts";
import type { Player } from "./platform-players.ts";
import type { Call } from "./signed-call.ts";

/** Of the rows fed lately, how many may still be taken back. */
const REMEMBERED = 100;

interface Fed {
  readonly kind: "deposit" | "bet";
  readonly number: string;
  readonly created_at: string;
}

function depositBy(player: Player) {
  return {
    order_no: `D${randomUUID()}`,
    ...player,
    amount: formatCents(depositCents()),
    channel: pick(CHANNEL_CODES),
    client: pick(CLIENT_CODES),
    created_at: new Date().toISOString(),
  };
}

function betBy(player: Player) {
  return {
    bet_no: `B${randomUUID()}`,
    ...player,
    valid_bet_amount: formatCents(betCents()),
    platform: pick(PLATFORM_CODES),
    created_at: new Date().toISOString(),
  };
}

function somePlayers(least: number, most: number): Player[] {
  return Array.from({ length: between(least, most) }).flatMap(() => pick(PLAYERS) ?? []);
}

/** The feed over `call`; each part throws when the system refuses rows or the call as a whole. */
export function createFeed(call: Call) {
  let known = false;
  let fed: Fed[] = [];

  async function ingest(path: string, body: object): Promise<void> {
    const answer = await call("POST", path, body);
    const result = ingestRoutes.players.data.safeParse(answer.body);
    const fault = result.success ? result.data.rejected[0] : { message: answer.status };
    if (fault !== undefined) {
      throw new Error(`${path} was refused: ${fault.message}`);
    }
  }

  async function deposits(players: readonly Player[]): Promise<void> {
    const rows = players.map(depositBy);
    await ingest(ingestRoutes.deposits.path, { deposits: rows });
    remember(rows.map((row) => ({ ...row, kind: "deposit", number: row.order_no })));
  }

  async function bets(players: readonly Player[]): Promise<void> {
    const rows = players.map(betBy);
    await ingest(ingestRoutes.bets.path, { bets: rows });
    remember(rows.map((row) => ({ ...row, kind: "bet", number: row.bet_no })));
  }

  function remember(rows: readonly Fed[]): void {
    fed = [...fed, ...rows].slice(-REMEMBERED);
  }

  return {
    /** The first time: all players, with some money each; then a few deposits and bets. */
    async money(): Promise<void> {
      if (known) {
        await deposits(somePlayers(1, 3));
        await bets(somePlayers(1, 5));
        return;
      }
      await ingest(ingestRoutes.players.path, { players: PLAYERS });
      await deposits(PLAYERS);
      await bets([...PLAYERS, ...PLAYERS]);
      known = true;
    },

    /** Takes back one deposit or bet of the last minutes. */
    async takeBack(): Promise<void> {
      const row = pick(fed);
      if (row === undefined) {
        return;
      }
      fed = fed.filter((other) => other !== row);
      const { number, created_at } = row;
      await (row.kind === "deposit"
        ? ingest(ingestRoutes.reversals.path, {
            reversals: [{ order_no: number, created_at, reason: "payment returned by the bank" }],
          })
        : ingest(ingestRoutes.voids.path, {
            voids: [{ bet_no: number, created_at, reason: "match cancelled" }],
          }));
    },
  };
}
