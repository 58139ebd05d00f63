/**
 * Topics that many watch at once. While somebody listens, one reader for each topic reads it every second; a single
 * reading is shared for a second too. So twenty boards of a round cost what one costs, and nobody watching costs nothing.
 */
import { AppError } from "@red/contract/errors";
import type { EventSink } from "#platform/event-stream";
import { startLoop } from "#platform/upkeep-job";
import type { Logger } from "pino";

const EVERY_MS = 1_000;
export type Log = Pick<Logger, "warn">;

/** What can be watched; an operator's own topics would have a key for each operator. */
export interface Topic<T extends object = object> {
  readonly key: string;
  /** Its data now, with the time `at`. Throws an AppError when there is no such thing any more. */
  read(): Promise<T>;
}

export function openTopics(log: Log) {
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
