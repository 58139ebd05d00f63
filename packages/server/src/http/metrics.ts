/** Prometheus metrics, to loopback callers or on a port of their own (running: paths). */
import type { Services } from "#http/handlers";
import fastify from "fastify";
import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

const LOOPBACK = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);
const FORWARDING_HEADERS = ["x-forwarded-for", "x-forwarded-host", "forwarded", "via"];

/**
 * Measures requests of `app` and serves them at `/metrics`: on `port` of every address when it is
 * given (it is then for the operator of the machine to guard), else on `app` to loopback callers.
 */
export async function mountMetrics(
  app: FastifyInstance,
  services: Services,
  port: number | null,
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
  registry.registerMetric(
    new Gauge({
      name: "redpacket_draws_in_flight",
      help: "Draws that wait or are being committed",
      registers: [],
      collect() {
        this.set(services.draws.inFlight());
      },
    }),
  );
  app.addHook("onResponse", async (request, reply) => {
    duration.observe(
      {
        method: request.method,
        route: request.routeOptions.url ?? "none",
        status: String(reply.statusCode),
      },
      reply.elapsedTime / 1000,
    );
  });
  const serveOn = port === null ? app : fastify();
  serveOn.get("/metrics", async (request, reply) => {
    const isForwarded = FORWARDING_HEADERS.some((name) => request.headers[name] !== undefined);
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
