/** Tests the tabs of one browser. Each tab is a separate copy of the module, with streams that the test provides. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { leaderOf } from "./shared-stream.ts";
import type { Beat } from "./shared-stream.ts";

const beat = (from: string, leads = false, topics = ["overview"]): Beat =>
  ({ from, topics, leads, live: leads ? topics : [] }) as const;

it.each([
  [[], undefined],
  [[beat("b"), beat("a")], "a"],
  [[beat("a"), beat("b", true)], "b"],
  [[beat("c", true), beat("b", true), beat("a")], "b"],
  [[beat("a", true, []), beat("b")], "b"],
  [[beat("a", true, [])], undefined],
])("among %j the leader is %s", (tabs, leader) => {
  expect(leaderOf(tabs)?.from).toBe(leader);
});

interface Stream {
  readonly topics: string;
  readonly signal: AbortSignal;
  readonly end: () => void;
}
let streams: Stream[] = [];
let leaves: (() => void)[] = [];
const open = () => streams.filter(({ signal }) => !signal.aborted).map(({ topics }) => topics);

beforeEach(() => {
  [streams, leaves] = [[], []];
  vi.spyOn(document, "hidden", "get").mockReturnValue(false);
  vi.stubGlobal("fetch", (url: string, { signal }: { signal: AbortSignal }) => {
    const [, topics = ""] = url.split("topics=");
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    signal.addEventListener("abort", () => void writer.abort().catch(() => null));
    streams.push({ topics, signal, end: () => void writer.close() });
    const events = topics.split(",").map((topic) => `event: ${topic}\ndata: "${topic}"\n\n`);
    void writer.write(new TextEncoder().encode(events.join("")));
    return Promise.resolve(new Response(readable));
  });
});
afterEach(() => leaves.forEach((leave) => leave()));

async function tab(topic: string, name = "ann zh") {
  vi.resetModules();
  vi.doMock("./api.ts", () => ({
    requestOf: (_: unknown, __: unknown, signal: object) => signal,
    addressOf: (path: string) => path,
  }));
  const { hearTopic } = await import("./shared-stream.ts");
  const heard = { isLive: false, news: [] as string[], ended: 0 };
  const leave = hearTopic(name, {
    topic,
    take: (json) => void heard.news.push(json),
    setLive: (isLive) => (heard.isLive = isLive),
    ended: () => (heard.ended += 1),
  });
  leaves.push(leave);
  return { heard };
}

it("all tabs share one stream; when its tab is closed, another tab opens one", async () => {
  const first = await tab("overview");
  await vi.waitFor(() => expect(first.heard.isLive).toBe(true));
  const rest = [await tab("board:1"), await tab("board:2"), await tab("board:1")];
  const stranger = await tab("board:3", "bob zh");
  const isLive = () => rest.every(({ heard }) => heard.isLive && heard.news.length > 0);
  await vi.waitFor(() => expect(isLive() && stranger.heard.isLive).toBe(true));
  expect(open().toSorted()).toEqual(["board:1,board:2,overview", "board:3"]);
  // A tab that opens later gets the last news from the leader.
  const late = await tab("board:2");
  await vi.waitFor(() => expect(late.heard).toMatchObject({ isLive: true, news: ['"board:2"'] }));

  leaves.shift()?.();
  await vi.waitFor(() => expect(open()).toContain("board:1,board:2"), 3_000);
  await vi.waitFor(() => expect(isLive()).toBe(true));
  expect(open()).toHaveLength(2);
  streams.at(-1)?.end();
  await vi.waitFor(() => expect(rest.map(({ heard }) => heard.ended)).toEqual([1, 1, 1]));
  expect(rest.some(({ heard }) => heard.isLive) || stranger.heard.ended > 0).toBe(false);
  expect(new Set([...rest, late].flatMap(({ heard }) => heard.news)).has('"board:3"')).toBe(false);
});

it("follows a leader, and leads when that one falls silent", async () => {
  const other = new BroadcastChannel("eve zh");
  other.addEventListener("message", () => other.postMessage(beat("0", true)), { once: true });
  const { heard } = await tab("overview", "eve zh");
  await vi.waitFor(() => expect(heard.isLive).toBe(true));
  expect(streams).toHaveLength(0);
  await vi.waitFor(() => expect(open()).toEqual(["overview"]), 6_000);
  other.close();
});
