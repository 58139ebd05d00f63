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

/** What every check says, by its name. */
async function look({ checks }: Health, log: FastifyBaseLogger): Promise<Record<string, string>> {
  const judged = Object.entries(checks).map(
    async ([name, check]) => [name, await judge(check, log)] as const,
  );
  return Object.fromEntries(await Promise.all(judged));
}

/**
 * `GET /healthz` answers while the process lives; `GET /readyz` says what is missing, with 503. Who asks
 * while somebody else is being answered gets the same answer: asking often costs no more.
 */
export function mountHealth(app: FastifyInstance, health: Health): void {
  let looking: Promise<Record<string, string>> | null = null;
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async (request, reply) => {
    looking ??= look(health, request.log).finally(() => {
      looking = null;
    });
    const checks = await looking;
    const isReady = Object.values(checks).every((word) => word === "ok");
    return await reply
      .code(isReady ? 200 : 503)
      .send({ status: isReady ? "ready" : "not ready", checks });
  });
}
