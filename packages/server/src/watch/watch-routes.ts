/**
 * Routes of the overview and boards, as one reading or as a stream of readings (behaviour §15). All
 * listeners of a topic share one reader, which reads once a second, or at once after a reading that took
 * longer. A topic without listeners is not read.
 */
import { AppError } from "@red/contract/platform/errors";
import type { watchRoutes } from "@red/contract/watch/watch";
import type { Db } from "#platform/db/connection";
import type { EventSink } from "#platform/handlers";
import type { Handlers } from "#platform/handlers";
import { withNames } from "#platform/player-names";
import { limitConcurrency } from "#platform/concurrency";
import { startLoop } from "#platform/upkeep-job";
import type { Logger } from "pino";
import { boardReader, readOverview } from "./read-watch.ts";

const EVERY_MS = 1_000;
type Log = Pick<Logger, "warn">;

/** Something that operators can watch. A topic that belongs to one operator would need one key per operator. */
interface Topic {
  readonly key: string;
  /** Returns the data of the topic, with the time in `at`. Throws an AppError if the topic no longer exists. */
  readonly read: () => Promise<object>;
}

function openTopics(log: Log) {
  const lives = new Map<string, ReturnType<typeof start>>();

  function start(topic: Topic) {
    const live = { sinks: new Set<EventSink>(), json: "", stop: async () => {} };
    let facts = "";
    const pass = async () => {
      const data = await topic.read();
      const now = JSON.stringify({ ...data, at: "" });
      if (now !== facts) {
        facts = now;
        live.json = JSON.stringify(data);
        live.sinks.forEach((sink) => sink.send(topic.key, live.json));
      }
    };
    const fail = (fault: unknown) =>
      fault instanceof AppError
        ? live.sinks.forEach((sink) => sink.end(fault))
        : log.warn({ err: fault, topic: topic.key }, "topic not read, trying again");
    live.stop = startLoop(async () => {
      const begun = performance.now();
      await pass().catch(fail);
      return Math.max(0, begun + EVERY_MS - performance.now());
    }).stop;
    lives.set(topic.key, live);
    return live;
  }

  /** Sends the topic's data at once and after each change. Returns a function that stops the sending. */
  function listen(topic: Topic, sink: EventSink): () => void {
    const live = lives.get(topic.key) ?? start(topic);
    live.sinks.add(sink);
    void (live.json !== "" && sink.send(topic.key, live.json));
    return () => {
      live.sinks.delete(sink);
      if (live.sinks.size === 0 && lives.get(topic.key) === live) {
        lives.delete(topic.key);
        void live.stop();
      }
    };
  }

  const opening = new Map<string, Promise<object>>();

  /**
   * Reads a topic for the first time. Callers that open the topic at the same time share this reading.
   * Throws as `read` does.
   */
  async function known({ key, read }: Topic): Promise<void> {
    if ((lives.get(key)?.json ?? "") === "") {
      const reading = opening.get(key) ?? read().finally(() => opening.delete(key));
      opening.set(key, reading);
      await reading;
    }
  }

  return { listen, known };
}

/** Reads topics one after another, so that boards do not take the database connections from other calls. */
export function watchHandlers(db: Db, timeZone: string, log: Log): Handlers<typeof watchRoutes> {
  const { listen, known } = openTopics(log);
  const inTurn = limitConcurrency(1);
  const readBoard = boardReader(db, timeZone);
  const overview = () => inTurn(() => readOverview(db, timeZone));
  const board = (id: number) => inTurn(() => readBoard(id));
  /** A topic that belongs to one operator would need the operator as an argument here. */
  const topicOf = (key: string): Topic => {
    const [, id] = key.split(":");
    const read = id === undefined ? overview : () => board(Number(id));
    return { key, read: async () => await withNames(db, await read()) };
  };
  return {
    overview: async () => ({ data: await overview() }),
    board: async ({ query }) => ({ data: await board(query.activity) }),
    stream: async ({ query }) => {
      const topics = [...new Set(query.topics.split(","))].map(topicOf);
      await Promise.all(topics.map(known));
      return (sink) => {
        const leaves = topics.map((topic) => listen(topic, sink));
        return () => leaves.forEach((leave) => leave());
      };
    },
  };
}
