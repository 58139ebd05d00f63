/** Prometheus metrics, to loopback callers or on a port of their own (running: paths). */
import type { WalletStatus } from "#payouts/wallet-status";
import type { Db } from "./connection.ts";
import type { Services } from "./handlers.ts";
import { walletStatus } from "#payouts/wallet-routes";
import fastify from "fastify";
import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

const LOOPBACK = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);
/** What proxies add to the calls that they pass on, each in its own words: `x-real-ip`, `via`, … */
const FORWARDING_HEADER =
  /^via$|^x-(arr-|amzn-|host$)|^front-end-|varnish|scheme|forwarded|proxy|original|cdn-loop|cf-ray|envoy|(real|client|connecting|remote|source|user|socket|originating|viewer)-?(ip|addr)/;

/** Gauges of the payouts on their way, by name. */
const WALLET_GAUGES: Readonly<
  Record<string, readonly [help: string, value: (status: WalletStatus) => number]>
> = {
  redpacket_wallet_in_trouble: [
    "1 while the wallet takes no payments or answers no questions, and payouts wait for it",
    ({ trouble }) => (trouble === null ? 0 : 1),
  ],
  redpacket_wallet_trouble_seconds: [
    "For how long the wallet has been in trouble",
    ({ trouble, now }) => (trouble === null ? 0 : (now.getTime() - trouble.since.getTime()) / 1000),
  ],
  redpacket_payouts_waiting: [
    "Payouts that are queued, sent or unclear",
    ({ waiting }) => waiting.count,
  ],
  redpacket_payouts_waiting_amount: [
    "Money of the payouts that are queued, sent or unclear",
    ({ waiting }) => Number(waiting.amount_cents) / 100,
  ],
};

function gaugeWallet(registry: Registry, db: Db): void {
  for (const [name, [help, value]] of Object.entries(WALLET_GAUGES)) {
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        async collect() {
          // Without the database nobody knows; the other metrics are served all the same.
          this.set(await walletStatus(db).then(value, () => Number.NaN));
        },
      }),
    );
  }
}

/**
 * Measures requests of `app` and serves them at `/metrics`: on `metricsPort` of every address when it
 * is given (it is then for the operator of the machine to guard), else on `app` to loopback callers.
 */
export async function mountMetrics(
  app: FastifyInstance,
  deps: {
    readonly db: Db;
    readonly services: Services;
    readonly metricsPort: number | null;
  },
): Promise<void> {
  const { db, services, metricsPort: port } = deps;
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
  gaugeWallet(registry, db);
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
