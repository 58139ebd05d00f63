/** Serves Prometheus metrics to loopback callers, or on a separate port. */
import { setTimeout as sleep } from "node:timers/promises";
import fastify from "fastify";
import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

const LOOPBACK = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);
/** Headers that proxies add to forwarded calls. */
const FORWARDING_HEADER =
  /^via$|^x-(arr-|amzn-|host$)|^front-end-|varnish|scheme|forwarded|proxy|original|cdn-loop|cf-ray|envoy|(real|client|connecting|remote|source|user|socket|originating|viewer)-?(ip|addr)/;

type Readings = readonly (readonly [labels: Record<string, string>, value: number])[];

export interface Measured {
  readonly name: string;
  readonly help: string;
  /** Names of the labels. Without labels the value is one number. */
  readonly labels?: readonly string[];
  /** May throw if the value is not available now. */
  readonly value: () => number | Readings | Promise<number | Readings>;
}

/** Longest wait of a scrape for a value, in ms. After a longer wait Prometheus would report the process as down. */
const LATE_MS = 4_000;

/** Returns the result of `work`, or null if `work` takes too long. */
export const inTime = async <T>(work: Promise<T>, ms: number = LATE_MS): Promise<T | null> =>
  await Promise.race([work, sleep(ms, null, { ref: false })]);

/** Returns a function whose concurrent callers share one run. */
export function shared<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return async () =>
    await (running ??= run().finally(() => {
      running = null;
    }));
}

function toGauge({ name, help, labels = [], value }: Measured): Gauge {
  return new Gauge({
    name,
    help,
    labelNames: [...labels],
    registers: [],
    async collect() {
      // A value that cannot be read, for example without the database, becomes NaN. With labels it is left out.
      const asked = (async () => await value())();
      const read = await inTime(asked, LATE_MS + 500).catch(() => null);
      this.reset();
      if (Array.isArray(read)) {
        (read as Readings).forEach(([each, reading]) => this.set(each, reading));
      } else if (labels.length === 0) {
        this.set((read as number | null) ?? Number.NaN);
      }
    },
  });
}

/**
 * Creates a counter. `known` lists the values of each label, so that all counts are visible from the start, as zero.
 */
function counter(name: string, help: string, known: Readonly<Record<string, string>>): Counter {
  const made = new Counter({ name, help, labelNames: Object.keys(known), registers: [] });
  let sets: Record<string, string>[] = [{}];
  for (const [label, values] of Object.entries(known)) {
    sets = sets.flatMap((set) => values.split(" ").map((value) => ({ ...set, [label]: value })));
  }
  sets.forEach((set) => made.inc(set, 0));
  return made;
}

export const drawsTotal = counter("redpacket_draws_total", "Draws, or why they were refused", {
  outcome: "drawn repeated",
});
export const ingestedRowsTotal = counter("redpacket_ingested_rows_total", "Rows of the platform", {
  kind: "player deposit bet reversal void",
  verdict: "accepted updated duplicate rejected",
});
export const payoutCallsTotal = counter("redpacket_payout_calls_total", "Answers of the wallet", {
  call: "pay query",
  outcome: "paid refused processing never_seen unclear",
});
const upkeep = new Gauge({
  name: "redpacket_upkeep_last_success_timestamp_seconds",
  help: "When a pass of background work last ended well, or the work was started",
  labelNames: ["task"],
  registers: [],
});

/** Records the time at which a pass of background work succeeded. */
export const noteUpkeep = (task: string): void => upkeep.setToCurrentTime({ task });

/** prom-client gives these gauges the names of counters, so they are removed. */
const MISNAMED = ["handles", "requests", "resources"].map((of) => `nodejs_active_${of}_total`);

/**
 * Serves `/metrics` on `port` of all addresses without access control. Without `port`, `app` serves it to loopback
 * only.
 */
export async function mountMetrics(
  app: FastifyInstance,
  port: number | null,
  measured: readonly Measured[],
): Promise<void> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  MISNAMED.forEach((name) => registry.removeSingleMetric(name));
  const own = [drawsTotal, ingestedRowsTotal, payoutCallsTotal, upkeep];
  own.forEach((metric) => registry.registerMetric(metric));
  const duration = new Histogram({
    name: "redpacket_http_request_duration_seconds",
    help: "Duration of requests by route and status",
    labelNames: ["method", "route", "status"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  for (const gauge of measured) {
    registry.registerMetric(toGauge(gauge));
  }
  app.addHook("onResponse", (request, reply, done) => {
    duration.observe(
      {
        method: request.method,
        route: request.routeOptions.url ?? "none",
        status: String(reply.statusCode),
      },
      reply.elapsedTime / 1000,
    );
    done();
  });
  const serveOn = port === null ? app : fastify();
  serveOn.get("/metrics", async (request, reply) => {
    const isForwarded = Object.keys(request.headers).some((name) => FORWARDING_HEADER.test(name));
    const isLocal = LOOPBACK.has(request.socket.remoteAddress ?? "") && !isForwarded;
    if (port === null && !isLocal) {
      return reply.callNotFound();
    }
    return await reply.type(registry.contentType).send(await registry.metrics());
  });
  if (port !== null) {
    await serveOn.listen({ port, host: "0.0.0.0" });
    app.addHook("onClose", () => serveOn.close());
  }
}
