/** Prometheus metrics, to loopback callers or on a port of their own (running: paths). */
import fastify from "fastify";
import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

const LOOPBACK = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);
/** Headers that proxies add to the calls they pass on. */
const FORWARDING_HEADER =
  /^via$|^x-(arr-|amzn-|host$)|^front-end-|varnish|scheme|forwarded|proxy|original|cdn-loop|cf-ray|envoy|(real|client|connecting|remote|source|user|socket|originating|viewer)-?(ip|addr)/;

export interface Measured {
  readonly name: string;
  readonly help: string;
  /** May throw when the value cannot be known now. */
  readonly value: () => number | Promise<number>;
}

function toGauge({ name, help, value }: Measured): Gauge {
  return new Gauge({
    name,
    help,
    registers: [],
    async collect() {
      // A value that cannot be known, say without the database, is NaN; the others are still served.
      this.set(await (async () => await value())().catch(() => Number.NaN));
    },
  });
}

/** Serves `/metrics` on `port` of all addresses (unguarded), or without it on `app` to loopback only. */
export async function mountMetrics(
  app: FastifyInstance,
  port: number | null,
  measured: readonly Measured[],
): Promise<void> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
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
