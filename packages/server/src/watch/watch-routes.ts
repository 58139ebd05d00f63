/**
 * How it goes: one reading, or a stream of them (behaviour §14). While somebody listens to a topic, one reader reads it
 * every second; a single reading is shared for a second too. So twenty boards of a round cost what one costs, and nobody
 * watching costs nothing.
 */
import { AppError } from "@red/contract/errors";
import type { watchRoutes } from "@red/contract/watch";
import type { Db } from "#platform/connection";
import type { EventSink } from "#platform/event-stream";
import type { Handlers } from "#platform/handlers";
import { startLoop } from "#platform/upkeep-job";
import type { Logger } from "pino";
import { boardReader, readOverview } from "./read-watch.ts";

const EVERY_MS = 1_000;
type Log = Pick<Logger, "warn">;

/** What can be watched; an operator's own topics would have a key for each operator. */
interface Topic<T extends object = object> {
  readonly key: string;
  /** Its data now, with the time `at`. Throws an AppError when there is no such thing any more. */
  read(): Promise<T>;
}

function openTopics(log: Log) {
  const readings = new Map<string, Promise<object>>();
  const lives = new Map<string, ReturnType<typeof start>>();

  /** The topic's data, at most a second old. Throws what the topic throws. */
  function latest<T extends object>({ key, read }: Topic<T>): Promise<T> {
    // One key, one kind of data.
    const known = readings.get(key) as Promise<T> | undefined;
    if (known !== undefined) {
      return known;
    }
    const data = read();
    readings.set(key, data);
    const forget = () => readings.delete(key);
    data.then(() => setTimeout(forget, EVERY_MS - 50), forget);
    return data;
  }

  function start(topic: Topic) {
    const live = { sinks: new Map<EventSink, string>(), json: "", stop: async () => {} };
    let facts = "";
    const pass = async () => {
      const data = await latest(topic);
      const now = JSON.stringify({ ...data, at: "" });
      if (now !== facts) {
        facts = now;
        live.json = JSON.stringify(data);
        live.sinks.forEach((event, sink) => sink.send(event, live.json));
      }
    };
    const fail = (fault: unknown) =>
      fault instanceof AppError
        ? live.sinks.forEach((_event, sink) => sink.end(fault))
        : log.warn({ err: fault, topic: topic.key }, "topic not read, trying again");
    live.stop = startLoop(async () => {
      await pass().catch(fail);
      return EVERY_MS;
    }).stop;
    lives.set(topic.key, live);
    return live;
  }

  /** Sends the topic's data at once and after each change, as this event; answers how to stop. */
  function listen(topic: Topic, event: string, sink: EventSink): () => void {
    const live = lives.get(topic.key) ?? start(topic);
    live.sinks.set(sink, event);
    void (live.json !== "" && sink.send(event, live.json));
    return () => {
      live.sinks.delete(sink);
      if (live.sinks.size === 0 && lives.get(topic.key) === live) {
        lives.delete(topic.key);
        void live.stop();
      }
    };
  }

  return { latest, listen };
}

/** `db` needs no more than one connection. */
export function watchHandlers(db: Db, timeZone: string, log: Log): Handlers<typeof watchRoutes> {
  const topics = openTopics(log);
  const readBoard = boardReader(db, timeZone);
  const overview = { key: "overview", read: () => readOverview(db, timeZone) };
  const board = (id: number) => ({ key: `board:${id}`, read: () => readBoard(id) });
  /** A topic of the operator's own would take the operator here. */
  const topicOf = (name: string): Topic =>
    name === overview.key ? overview : board(Number(name.split(":")[1]));
  return {
    overview: async () => ({ data: await topics.latest(overview) }),
    board: async ({ query }) => ({ data: await topics.latest(board(query.activity)) }),
    stream: async ({ query }) => {
      const names = [...new Set(query.topics.split(","))];
      await Promise.all(names.map((name) => topics.latest(topicOf(name))));
      return (sink) => {
        const leaves = names.map((name) => topics.listen(topicOf(name), name, sink));
        return () => leaves.forEach((leave) => leave());
      };
    },
  };
}
