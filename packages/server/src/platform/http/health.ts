/** Serves the probes: whether the process is alive, and whether it is ready for work. */
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import release from "#release" with { type: "json" };
import { inTime, shared } from "./metrics.ts";
import type { Measured } from "./metrics.ts";

/** Returns a description of the problem, or null. */
export type Check = () => Promise<string | null>;

export type Health = Readonly<Record<string, Check>>;

/* Anybody may call the probes. Database errors may name hosts and accounts, so they go to the log only. */
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

/** Runs the checks and returns "ok" or a problem for each check. Concurrent callers share one run. */
export const readiness = (health: Health, log: FastifyBaseLogger) =>
  shared(() => runChecks(health, log));

export type Readiness = ReturnType<typeof readiness>;

/** A check that takes too long counts as failed. */
export function readyMeasured(ask: Readiness, health: Health): Measured {
  return {
    name: "redpacket_ready",
    help: "1 for each check of /readyz that passes",
    labels: ["check"],
    value: async () => {
      const words = await inTime(ask());
      return Object.keys(health).map((check) => [{ check }, words?.[check] === "ok" ? 1 : 0]);
    },
  };
}

/**
 * `/healthz` responds while the process is alive. `/readyz` reports the checks, the release, and `program`, the newest
 * migration of this program.
 */
export function mountHealth(app: FastifyInstance, ask: Readiness, program: string): void {
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    const checks = await ask();
    const isReady = Object.values(checks).every((word) => word === "ok");
    return await reply.code(isReady ? 200 : 503).send({
      status: isReady ? "ready" : "not ready",
      release: release.version,
      program,
      checks,
    });
  });
}
