/**
 * Topics that many watch at once. While somebody listens, one reader for each topic reads it every second; a single
 * reading shares its answer for a second too. So twenty boards of a round cost what one costs, and nobody watching
 * costs nothing.
 */
import { AppError } from "@red/contract/errors";
import type { EventSink } from "#platform/event-stream";
import { startLoop } from "#platform/upkeep-job";
import type { Logger } from "pino";

const EVERY_MS = 1_000;

/** What can be watched. Topics of an operator's own have a key for each operator. */
export interface Topic<T extends Timed = Timed> {
  readonly key: string;
  /** Its data now, with the time of reading. Throws an AppError when there is no such thing any more. */
  read(): Promise<T>;
}

interface Timed {
  readonly at: string;
}

export interface Topics {
  /** At most a second old. Throws what the topic throws. */
  latest<T extends Timed>(topic: Topic<T>): Promise<T>;
  /** Sends the topic's data at once and after each change, as this event; answers how to stop. */
  listen(topic: Topic, event: string, sink: EventSink): () => void;
  /** How many readers run. */
  readers(): number;
}

interface Live {
  readonly topic: Topic;
  readonly sinks: Map<EventSink, string>;
  stop: () => unknown;
  /** Last data sent, and that without its time: a new time alone is no change. */
  json: string | null;
  facts: string | null;
}

interface Reading {
  readonly until: number;
  readonly data: Promise<Timed>;
}

/** Readings that are under way or less than a second old. */
function sharedReadings() {
  const readings = new Map<string, Reading>();
  return function latest<T extends Timed>({ key, read }: Topic<T>): Promise<T> {
    const now = performance.now();
    for (const [old, { until }] of readings) {
      if (until <= now) {
        readings.delete(old);
      }
    }
    const known = readings.get(key);
    if (known !== undefined) {
      // One key, one kind of data.
      return known.data as Promise<T>;
    }
    const data = read();
    const keep = (until: number) => readings.set(key, { until, data });
    keep(Infinity);
    data.then(
      () => keep(performance.now() + EVERY_MS - 1),
      () => keep(0),
    );
    return data;
  };
}

export function openTopics(log: Pick<Logger, "warn">): Topics {
  const lives = new Map<string, Live>();
  const latest = sharedReadings();

  async function pass(live: Live): Promise<void> {
    try {
      const data = await latest(live.topic);
      const facts = JSON.stringify({ ...data, at: "" });
      if (facts !== live.facts) {
        live.facts = facts;
        live.json = JSON.stringify(data);
        for (const [sink, event] of live.sinks) {
          sink.send(event, live.json);
        }
      }
    } catch (fault) {
      if (fault instanceof AppError) {
        for (const sink of live.sinks.keys()) {
          sink.end(fault);
        }
        return;
      }
      log.warn({ err: fault, topic: live.topic.key }, "topic not read, trying again");
    }
  }

  function start(topic: Topic): Live {
    const live: Live = { topic, sinks: new Map(), json: null, facts: null, stop: () => {} };
    lives.set(topic.key, live);
    live.stop = startLoop(async () => {
      await pass(live);
      return EVERY_MS;
    }).stop;
    return live;
  }

  return {
    latest,
    listen(topic, event, sink) {
      const live = lives.get(topic.key) ?? start(topic);
      live.sinks.set(sink, event);
      if (live.json !== null) {
        sink.send(event, live.json);
      }
      return () => {
        live.sinks.delete(sink);
        if (live.sinks.size === 0 && lives.get(topic.key) === live) {
          lives.delete(topic.key);
          live.stop();
        }
      };
    },
    readers: () => lives.size,
  };
}
