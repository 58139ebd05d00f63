/** Probes: is the process alive, and is it ready for work (running: health and readiness). */
import type { FastifyBaseLogger, FastifyInstance } from "fastify";

/** Answers what is wrong, or null. */
export type Check = () => Promise<string | null>;

export type Health = Readonly<Record<string, Check>>;

/* Anybody may call this: database errors may name hosts and accounts, so they go to the log only. */
async function runCheck(check: Check, log: FastifyBaseLogger): Promise<string> {
  try {
    return (await check()) ?? "ok";
  } catch (fault) {
    log.warn({ err: fault }, "a readiness check failed");
    return "failed, the log says why";
  }
}

async function runChecks(checks: Health, log: FastifyBaseLogger): Promise<Record<string, string>> {
  const results = Object.entries(checks).map(
    async ([name, check]) => [name, await runCheck(check, log)] as const,
  );
  return Object.fromEntries(await Promise.all(results));
}

/** `/healthz` answers while the process lives; `/readyz` reports the checks, one run for concurrent callers. */
export function mountHealth(app: FastifyInstance, health: Health): void {
  let running: Promise<Record<string, string>> | null = null;
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async (request, reply) => {
    running ??= runChecks(health, request.log).finally(() => {
      running = null;
    });
    const checks = await running;
    const isReady = Object.values(checks).every((word) => word === "ok");
    return await reply
      .code(isReady ? 200 : 503)
      .send({ status: isReady ? "ready" : "not ready", checks });
  });
}
