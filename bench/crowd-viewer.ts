/**
 * The viewer of `crowd`, a process of its own: a line of input asks for one crowd, a line of output says how many were let in.
 * A stream that is let in stays open until the end; an export that is let in is made to its end.
 */
import { createInterface } from "node:readline";
import { jobRoutes } from "../packages/contract/src/records/job.ts";
import { recordRoutes } from "../packages/contract/src/records/record.ts";
import { watchRoutes } from "../packages/contract/src/watch/watch.ts";
import { steadily } from "./mixed-operators.ts";

export interface Crowd {
  readonly port: number;
  readonly token: string;
  /** The round that is exported, over and over. */
  readonly round: number;
  readonly streams: number;
  readonly exports: number;
  /** All are asked for within this time, at a steady pace. */
  readonly within_ms: number;
}

async function ask({ port, token, round, streams, exports, within_ms }: Crowd) {
  const url = (path: string) => `http://127.0.0.1:${port}${path}`;
  const headers = { token, "content-type": "application/json" };
  const counts = { streams: 0, exports: 0 };
  const left = new AbortController();
  const waiting: Promise<void>[] = [];
  const stream = url(`${watchRoutes.stream.path}?topics=overview,board:1`);
  const askStream = async () => {
    const answer = await fetch(stream, { headers });
    if (answer.headers.get("content-type")?.startsWith("text/event-stream") !== true) {
      await answer.text();
      return;
    }
    counts.streams += 1;
    await answer.body?.pipeTo(new WritableStream(), { signal: left.signal }).catch(() => {});
  };
  const query = { rounds_id: String(round) };
  const body = JSON.stringify({ path: recordRoutes.exportFile.path, query });
  const askExport = async () => {
    const answer = await fetch(url(jobRoutes.exportFile.path), { method: "POST", headers, body });
    counts.exports += (await answer.text()).startsWith('{"code":200,') ? 1 : 0;
  };
  const spread = async (count: number, one: () => Promise<void>) => {
    const now = performance.now();
    await steadily(now, within_ms / count, now + within_ms, async () => void waiting.push(one()));
  };
  await Promise.all([spread(streams, askStream), spread(exports, askExport)]);
  left.abort();
  await Promise.all(waiting);
  return counts;
}

for await (const line of createInterface({ input: process.stdin })) {
  // The bench that starts this process wrote the line.
  process.stdout.write(`${JSON.stringify(await ask(JSON.parse(line) as Crowd))}\n`);
}
