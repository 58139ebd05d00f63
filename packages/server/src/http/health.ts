/** Probes: is the process alive, and is it ready for work (running: health and readiness). */
import type { FastifyBaseLogger, FastifyInstance } from "fastify";

/** One thing that readiness depends on; answers what is wrong, or null. */
export type Check = () => Promise<string | null>;

export interface Health {
  /** By name: database, migrations, worker. */
  readonly checks: Readonly<Record<string, Check>>;
}

/* Anybody may ask: what the database said may name hosts and accounts, and goes to the log only. */
async function judge(check: Check, log: FastifyBaseLogger): Promise<string> {
  try {
    return (await check()) ?? "ok";
  } catch (fault) {
    log.warn({ err: fault }, "a readiness check failed");
    return "failed, the log says why";
  }
}

/** `GET /healthz` answers while the process lives; `GET /readyz` says what is missing, with 503. */
export function mountHealth(app: FastifyInstance, health: Health): void {
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async (request, reply) => {
    const { log } = request;
    const names = Object.keys(health.checks);
    const words = await Promise.all(Object.values(health.checks).map((check) => judge(check, log)));
    const checks = Object.fromEntries(names.map((name, at) => [name, words[at] ?? "failed"]));
    const isReady = words.every((word) => word === "ok");
    return await reply
      .code(isReady ? 200 : 503)
      .send({ status: isReady ? "ready" : "not ready", checks });
  });
}
