/**
 * A disaster is planted while draws and payouts go on; PostgreSQL is put back to the second before it by pgBackRest. What
 * the wallet has paid since is named to the cent, settled, and nobody is paid twice.
 *
 *   tsx e2e/machines/rewind.ts      as root, for Debian's postgresql-15 and pgbackrest; PROVE_SEED
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { claim, claimEqual } from "../outside/claims.ts";
import { shown } from "../outside/context.ts";
import { install } from "../outside/debian.ts";
import { dig, listAt, parsed, textAt } from "../outside/json.ts";
import { gather, readLedger } from "../outside/kill/evidence.ts";
import { startLoad } from "../outside/kill/load.ts";
import { beginTrial, untilSettled } from "../outside/kill/judge.ts";
import { IN_QUIET } from "../outside/kill/oracle.ts";
import type { Site } from "../outside/kill/stage.ts";
import { sumOf } from "../outside/money.ts";
import { startPostgres } from "../outside/postgres.ts";
import { prove, say, SEED } from "../outside/proof.ts";
import { freePort } from "../outside/server.ts";
import { openAlone } from "./alone.ts";

const WORK_MS = 6_000;

/** pgBackRest for the cluster of `folder`, as the database's account. */
function backRest(folder: string, port: number) {
  install(["/usr/bin/pgbackrest"], "pgbackrest");
  const config = path.join(folder, "pgbackrest.conf");
  const places = { "repo1-path": "repo", "log-path": "log", "lock-path": "lock" };
  const lines = Object.entries(places).map(([key, name]) => {
    const place = path.join(folder, name);
    mkdirSync(place);
    execFileSync("chown", ["postgres:postgres", place]);
    return `${key}=${place}`;
  });
  const cluster = `[red]\npg1-path=${folder}/pg\npg1-port=${port}\npg1-socket-path=${folder}\npg1-user=red\npg1-database=postgres`;
  writeFileSync(config, `[global]\n${lines.join("\n")}\nstart-fast=y\n${cluster}\n`);
  const command = `pgbackrest --config=${config} --stanza=red`;
  const account = "--reuid=postgres --regid=postgres --clear-groups";
  const run = (words: string, ...more: string[]) =>
    void execFileSync("setpriv", [...`${account} ${command} ${words}`.split(" "), ...more]);
  return {
    archive: `${command} archive-push %p`,
    run,
    restoreTo: (instant: string) =>
      run("--delta --type=time --target-action=promote restore", `--target=${instant}`),
  };
}

/** Credits in the wallet's ledger whose payout this database does not have. */
async function unknownCredits({ database, ledger }: Site) {
  const known = await database.rows<{ trans_sn: string }>("select trans_sn from payout");
  const numbers = new Set(known.map(({ trans_sn }) => trans_sn));
  return readLedger(ledger).credits.filter(({ trans_sn }) => !numbers.has(trans_sn));
}

/** Accepts what the wallet paid for draws that are gone, and adopts the rest. */
async function settleBreaks({ operator }: Site): Promise<void> {
  const list = await operator.data(
    "GET",
    "/gred/api/reconciliation/breaks?open=1&page=1&size=500",
    null,
  );
  const idsOf = (isExtra: boolean) =>
    listAt(list, "content")
      .filter((one) => (dig(one, "kind") === "extra") === isExtra)
      .map((one) => dig(one, "id"));
  for (const [end, ids] of Object.entries({ accepted: idsOf(true), adopted: idsOf(false) })) {
    if (ids.length > 0) {
      await operator.data("PUT", "/gred/api/reconciliation/breaks", {
        ids,
        end,
        reason: "rewound",
      });
    }
  }
}

async function rewind(folder: string): Promise<void> {
  const port = await freePort();
  const postgres = startPostgres(folder, port);
  const backup = backRest(folder, port);
  const { server, site, leave, close } = await openAlone(folder, postgres.url);
  await site.database.rows("alter system set archive_mode = 'on'");
  await site.database.rows(`alter system set archive_command = '${backup.archive}'`);
  await site.database.rows("alter system set archive_timeout = '5s'");
  postgres.stop();
  postgres.start();
  backup.run("stanza-create");
  const { scene, acks, dice, load, since } = await beginTrial(site, folder, SEED);
  await sleep(WORK_MS);
  backup.run("backup --type=full");
  await sleep(WORK_MS);
  const [at] = await site.database.rows<{ target: string }>(
    "select (clock_timestamp() - interval '1 second')::text as target",
  );
  const target = at?.target ?? "";
  // Work goes on while nobody has noticed.
  await site.database.rows("update player set user_name = 'gone ' || player_key");
  await sleep(WORK_MS);
  await load.stop();
  await untilSettled(site);
  await site.database.rows("select pg_switch_wal()");
  await leave();
  postgres.stop();
  backup.restoreTo(target);
  postgres.start();

  await server.start();
  const stops = await site.database.rows("select reason from stop_switch where name = 'payouts'");
  claim(
    "a worker that misses what it had sealed stops payouts by itself",
    stops.length === 1,
    stops,
  );
  await leave();
  const told = await site.redctl(`restored --to "${target}"`);
  claim("redctl restored makes it safe to pay from", told.code === 0, told);
  const verified = await site.redctl("verify");
  claim("redctl verify finds every invariant held", verified.code === 0, verified.out.slice(-600));
  await server.start();
  const lost = await unknownCredits(site);
  claim("the wallet has paid draws that are gone", lost.length > 0);
  const compared = await site.redctl(`reconcile --from "${shown(since - 60_000)}" --json`);
  const breaks = await site.operator.data(
    "GET",
    "/gred/api/reconciliation/breaks?open=1&kind=extra&page=1&size=500",
    null,
  );
  const named = listAt(breaks, "sums").find((sum) => textAt(sum, "kind") === "extra");
  claimEqual(
    "the difference is named to the cent",
    [dig(named, "count"), dig(named, "amount")],
    [lost.length, sumOf(lost.map(({ amount }) => amount))],
  );
  say(
    `forgotten ${lost.length} payments, ${String(dig(parsed(compared.out), "breaks"))} differences`,
  );
  await settleBreaks(site);
  const released = await site.redctl("payouts release");
  claim("payouts are released", released.code === 0, released);
  const again = startLoad(site, scene, acks, dice);
  await sleep(WORK_MS);
  await again.stop();
  await untilSettled(site);
  const evidence = await gather(site);
  const gone = new Set(lost.map(({ trans_sn }) => trans_sn));
  const credits = evidence.credits.filter(({ trans_sn }) => !gone.has(trans_sn));
  const twice = IN_QUIET["I1 nobody is paid twice"]?.({
    acks,
    drawn: acks.drawn,
    pauses: [],
    changed: [],
    evidence: { ...evidence, credits },
  });
  claimEqual("nobody is paid twice", twice, []);
  claimEqual(
    "and no payment that is gone is made again",
    new Set(evidence.credits.map(({ trans_sn }) => trans_sn)).size,
    evidence.credits.length,
  );
  const last = await site.redctl(`reconcile --from "${shown(since - 60_000)}"`);
  claim("afterwards both sides tell the same", last.code === 0, last.out.slice(-400));
  acks.close();
  await close();
  postgres.stop();
}

await prove("rewind", rewind);
