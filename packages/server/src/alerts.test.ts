/** Every metric that alerts and the dashboard name exists, and each alert has its section in the runbook. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { REPOSITORY } from "#test/entry-process";
import { makeFolder } from "#test/folder";
import { configOf } from "#test/redctl";
import { useTestDb } from "#test/test-db";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "./server.ts";

const t = useTestDb();
const read = (file: string) => readFileSync(path.join(REPOSITORY, file), "utf8");
const alerts = read("deploy/prometheus/alerts.yml").split("- alert: ").slice(1);
const names = alerts.map((text) => text.split("\n", 1)[0] ?? "");

const printed = execFileSync("node", [path.join(REPOSITORY, "deploy/grafana/board.mjs")]);
/** Each query of the dashboard with its legend. */
const board = printed.toString().split('"refId"').slice(1);

const found = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].flatMap(([, list = ""]) => list.split(", "));

/**
 * Returns the labels of each metric of a started server. Metrics of standbys are left out, because the test
 * database has no standby.
 */
async function scrape(): Promise<Map<string, Set<string>>> {
  const wallet = { url: "https://127.0.0.1:1", key: "k", secret: "s" };
  const config = configOf(t, { port: 0, dataDir: makeFolder(), wallet });
  const log = pino({ level: "silent" });
  const server = await startServer({ config, log, consoleFolder: "", onLost: () => {} });
  onTestFinished(() => server.stop());
  await fetch(`${server.url}/readyz`);
  const text = await (await fetch(`${server.url}/metrics`)).text();
  expect(text).toContain(`version=${/"version": ("[^"]+")/.exec(read("package.json"))?.[1]}`);
  const metrics = new Map([["redpacket_standby_lag_bytes", new Set(["standby"])]]);
  for (const [, name = "", labels = ""] of text.matchAll(/^(redpacket_\w+)(\{.*\})? /gm)) {
    metrics.set(name, new Set(found(labels, /(\w+)="/g)));
  }
  return metrics;
}

test("alerts and board name metrics that there are, with their labels", async () => {
  const metrics = await scrape();
  for (const text of [...alerts, ...board]) {
    const used = found(text, /(redpacket_\w+)/g);
    expect(used.filter((name) => !metrics.has(name))).toEqual([]);
    const known = new Set(used.flatMap((name) => [...(metrics.get(name) ?? [])]));
    const labels = [/(\w+)[=!][~=]?"/g, /by \(([^)]*)\)/g, /\{\{ ?(?:\$labels\.)?(\w+) ?\}\}/g];
    const named = labels.flatMap((pattern) => found(text, pattern));
    expect(
      named.filter((one) => !known.has(one) && !/^(instance|job|else|end)$/.test(one)),
    ).toEqual([]);
  }
});

test("each alert has its section in the runbook, and a test", () => {
  const sections = [...read("docs/runbook.md").matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(sections).toEqual(names);
  for (const [at, text] of alerts.entries()) {
    expect(text).toContain(`runbook: docs/runbook.md#${names[at]?.toLowerCase()}\n`);
  }
  expect(read("deploy/prometheus/alerts.test.yml")).toContain(`value: ${names.length} }]`);
  const proof = read("e2e/machines/alerts.ts");
  expect(names.filter((name) => !proof.includes(name.replace("RedPacket", "")))).toEqual([]);
});
