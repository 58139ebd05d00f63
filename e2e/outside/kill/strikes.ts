/** Where and what to kill: the moments of the proof, and how each is reached. */
import { setTimeout as sleep } from "node:timers/promises";
import { xlsxRows } from "../workbook.ts";
import type { Moment } from "./database.ts";
import type { Load } from "./load.ts";
import type { Scene } from "./scene.ts";
import type { Stage, Victim } from "./stage.ts";

/** Time to wait for a moment before it counts as missed. */
const MEET_MS = 25_000;

export interface Struck {
  /** True when the kill hit its moment. */
  readonly isMet: boolean;
  /** Was a call under way then? */
  readonly isBusy: boolean;
}

type Strike = (
  stage: Stage,
  scene: Scene,
  traffic: Pick<Load, "pending">,
  turn: number,
) => Promise<Struck>;

export interface Point {
  /** Wallet behaviour that this point needs. */
  readonly wallet?: object;
  /** Set when its kill leaves payouts that take long to settle: such points strike first. */
  readonly isWorkers: boolean;
  readonly strike: Strike;
}

/** Holds the next draw inside its transaction and kills PostgreSQL, or, every other time, the server. */
function inside(moment: Moment): Point {
  return {
    isWorkers: false,
    strike: async ({ database, web }, _scene, { pending }, turn) => {
      await database.hold(moment);
      const isMet = await database.isHeld(MEET_MS);
      const isBusy = isMet || pending() > 0;
      if (turn % 2 === 0) {
        await database.kill();
      } else {
        web.signal("SIGKILL");
        await web.ended(MEET_MS);
      }
      await database.release(moment);
      return { isMet, isBusy };
    },
  };
}

/**
 * Waits for a process to die at its place, and kills it if it does not. Its places are passed only at work, in a
 * call or with payouts to send.
 */
async function meet(victim: Victim): Promise<Struck> {
  await victim.ended(MEET_MS);
  victim.signal("SIGKILL");
  await victim.ended(MEET_MS);
  const isMet = victim.hasDied();
  return { isMet, isBusy: isMet };
}

/** The victim dies at a place, at one of the first passes. */
function at(whose: "web" | "worker", place: string, wallet?: object): Point {
  return {
    ...(wallet === undefined ? {} : { wallet }),
    isWorkers: whose === "worker",
    strike: async (stage, _scene, _traffic, turn) => {
      const victim = stage[whose];
      victim.dieAt(place, 1 + (turn % 4));
      return await meet(victim);
    },
  };
}

/** Kill during an import of two new pools; both must exist afterwards, or neither. */
const midImport: Point = {
  isWorkers: false,
  strike: async ({ web, database, base, token }, _scene, _traffic, turn) => {
    const names = [`甲${turn}-${Date.now()}`, `乙${turn}-${Date.now()}`];
    const lines = names.map((name) => `${name},一元,1.00,1,10,1`);
    const csv = ["pool_name,award_name,award_price,weight,award_total,floors", ...lines].join("\n");
    web.dieAt("import_written", 1);
    const form = new FormData();
    form.set("poolFile", new Blob([csv], { type: "text/csv" }), "prizes.csv");
    form.set("token", token);
    await fetch(`${base}/gred/api/prize/import`, { method: "POST", body: form }).catch(() => {});
    const struck = await meet(web);
    const left = await database.count("pool where pool_name = any($1)", names);
    if (left !== 0) {
      throw new Error(`half an import: ${left} pools of ${names.join()}`);
    }
    return struck;
  },
};

/** Kill while it sends a file: the reader has a whole file, or sees that it is broken. */
const midExport: Point = {
  isWorkers: false,
  strike: async ({ web, base, token }, { earned }) => {
    web.dieAt("download_begun", 1);
    const path = `/gred/api/record/export?rounds_id=${earned.id}&format=xlsx`;
    const read = await fetch(`${base}${path}`, { headers: { token } })
      .then((answer) => answer.arrayBuffer())
      .catch(() => null);
    const struck = await meet(web);
    if (read !== null) {
      // A small file may have arrived before the kill. This throws when the end of the archive is missing.
      xlsxRows(Buffer.from(read));
    }
    return struck;
  },
};

const midReconciliation: Point = {
  isWorkers: false,
  strike: async ({ web, operator }, scene) => {
    web.dieAt("statement_page_kept", 1);
    const span = { from: scene.window.start, to: scene.free.date.concat(" 23:59:59") };
    await operator.call("POST", "/gred/api/reconciliation", span).catch(() => {});
    return await meet(web);
  },
};

const midStop: Point = {
  isWorkers: true,
  strike: async ({ worker }) => {
    worker.dieAt("calls_ended", 1);
    worker.signal("SIGTERM");
    return await meet(worker);
  },
};

/** Kills processes at a random moment while a call waits for its answer. */
function anywhere(...whose: readonly ("web" | "worker" | "wallet" | "postgres")[]): Point {
  return {
    isWorkers: whose.includes("worker") || whose.includes("wallet"),
    strike: async (stage, _scene, { pending }) => {
      const giveUp = Date.now() + MEET_MS;
      while (pending() === 0 && Date.now() < giveUp) {
        await sleep(1);
      }
      const isBusy = pending() > 0;
      for (const name of whose) {
        if (name === "postgres") {
          await stage.database.kill();
        } else {
          stage[name].signal("SIGKILL");
        }
      }
      for (const name of whose) {
        if (name !== "postgres") {
          await stage[name].ended(MEET_MS);
        }
      }
      return { isMet: true, isBusy };
    },
  };
}

/** Every proof reaches these equally often. */
export const MAIN_POINTS: Readonly<Record<string, Point>> = {
  "P1 transaction begun": inside("begun"),
  "P2 stock taken": inside("stock_taken"),
  "P3 about to commit": inside("committing"),
  "P4 committed, not answered": at("web", "draws_committed"),
  "P5 payouts claimed": at("worker", "payouts_claimed"),
  "P6 before the call": at("worker", "call_due"),
  "P7 call sent, no answer": at("worker", "call_sent"),
  "P8 answer written, not committed": at("worker", "answers_written"),
  "P9 answer committed": at("worker", "answers_committed"),
};

export const OTHER_POINTS: Readonly<Record<string, Point>> = {
  "P10 in a re-issue": at("web", "reissue_written", { mode: "refuse", every: 3 }),
  "P11 in an import": midImport,
  "P12 in an export": midExport,
  "P14 while leases are taken back": at("worker", "leases_expired"),
  "P15 in a reconciliation": midReconciliation,
  "P16 in a graceful stop": midStop,
  "anywhere: web": anywhere("web"),
  "anywhere: worker": anywhere("worker"),
  "anywhere: PostgreSQL": anywhere("postgres"),
  "anywhere: wallet": anywhere("wallet"),
  "anywhere: everything": anywhere("web", "worker", "postgres", "wallet"),
};

export interface Planned {
  readonly name: string;
  readonly point: Point;
  /** Number of earlier strikes at this point. */
  readonly turn: number;
}

/** Groups of kills: load runs during a group, then everything settles. Every tenth kill is one of OTHER_POINTS. */
export function planOf(kills: number, groupSize: number): Planned[][] {
  const main = Object.entries(MAIN_POINTS);
  const others = Object.entries(OTHER_POINTS);
  const all: Planned[] = Array.from({ length: kills }, (_, at) => {
    const round = Math.floor(at / (main.length + 1));
    const found = main[at % (main.length + 1)];
    const [name = "", point = midStop] = found ?? others[round % others.length] ?? [];
    return { name, point, turn: found === undefined ? Math.floor(round / others.length) : round };
  });
  const groups: Planned[][] = [];
  for (let from = 0; from < all.length; from += groupSize) {
    const group = all.slice(from, from + groupSize);
    groups.push([
      ...group.filter(({ point }) => point.isWorkers),
      ...group.filter(({ point }) => !point.isWorkers),
    ]);
  }
  return groups;
}
