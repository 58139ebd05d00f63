/** The demo platform's feed: players once, then deposits, bets and a few reversals. */
import { randomUUID } from "node:crypto";
import { DEMO_PLAYERS } from "@red/contract/players/demo-players";
import type { DemoPlayer } from "@red/contract/players/demo-players";
import { ingestRoutes } from "@red/contract/events/ingest";
import { CHANNEL_CODES, CLIENT_CODES, PLATFORM_CODES } from "@red/contract/platform/codes";
import { formatCents } from "@red/contract/platform/money";
import { betCents, between, depositCents, pick } from "./platform-habits.ts";
import type { Call } from "./signed-call.ts";

/** How many of the latest rows can still be reversed. */
const REMEMBERED = 100;

interface Fed {
  readonly kind: "deposit" | "bet";
  readonly number: string;
  readonly created_at: string;
}

function depositBy(player: DemoPlayer) {
  return {
    order_no: `D${randomUUID()}`,
    ...player,
    amount: formatCents(depositCents()),
    channel: pick(CHANNEL_CODES),
    client: pick(CLIENT_CODES),
    created_at: new Date().toISOString(),
  };
}

function betBy(player: DemoPlayer) {
  return {
    bet_no: `B${randomUUID()}`,
    ...player,
    valid_bet_amount: formatCents(betCents()),
    platform: pick(PLATFORM_CODES),
    created_at: new Date().toISOString(),
  };
}

function somePlayers(least: number, most: number): DemoPlayer[] {
  return Array.from({ length: between(least, most) }).flatMap(() => pick(DEMO_PLAYERS) ?? []);
}

/** The feed over `call`; each part throws when the system rejects rows or the whole call. */
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

  async function deposits(players: readonly DemoPlayer[]): Promise<void> {
    const rows = players.map(depositBy);
    await ingest(ingestRoutes.deposits.path, { deposits: rows });
    remember(rows.map((row) => ({ ...row, kind: "deposit", number: row.order_no })));
  }

  async function bets(players: readonly DemoPlayer[]): Promise<void> {
    const rows = players.map(betBy);
    await ingest(ingestRoutes.bets.path, { bets: rows });
    remember(rows.map((row) => ({ ...row, kind: "bet", number: row.bet_no })));
  }

  function remember(rows: readonly Fed[]): void {
    fed = [...fed, ...rows].slice(-REMEMBERED);
  }

  return {
    /** At first all players, with some money each; later a few deposits and bets. */
    async money(): Promise<void> {
      if (known) {
        await deposits(somePlayers(1, 3));
        await bets(somePlayers(1, 5));
        return;
      }
      await ingest(ingestRoutes.players.path, { players: DEMO_PLAYERS });
      await deposits(DEMO_PLAYERS);
      await bets([...DEMO_PLAYERS, ...DEMO_PLAYERS]);
      known = true;
    },

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
