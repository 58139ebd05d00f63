/** Defines what a room gives to the app: handlers of its calls, background jobs, hourly chores and gauges. */
import type { Route } from "@red/contract/platform/route";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Config } from "#platform/config";
import type { ConnectionConfig, Db } from "#platform/db/connection";
import type { Handlers } from "#platform/handlers";
import type { SecretBox } from "#platform/secret-box";
import type { Chore } from "#platform/upkeep-job";
import type { Measured } from "./metrics.ts";
import { mountRoutes } from "./mount.ts";
import type { MountDeps } from "./mount.ts";

/** Routes by resource. */
type Calls = Readonly<Record<string, Readonly<Record<string, Route>>>>;

export interface JobDeps {
  readonly db: Db;
  /** Serves jobs that call other systems. */
  readonly workerDb: Db;
  readonly connection: ConnectionConfig;
  readonly secrets: SecretBox;
  readonly config: Config;
  readonly log: Logger;
}

interface Work {
  /** Starts the background jobs. Processes that serve only the web do not call it. */
  readonly jobs?: (deps: JobDeps) => readonly { stop(): Promise<void> }[];
  /** Every process runs these chores every hour. */
  readonly chores?: (config: Config) => readonly Chore[];
  readonly measured?: (db: Db) => readonly Measured[];
}

/** `N` is the type of the room's calls in the contract, `D` the type of what its handlers need. */
export interface Room<N extends Calls, D> extends Work {
  readonly calls: N;
  readonly mount: (app: FastifyInstance, deps: D & MountDeps) => void;
}

/** Creates a room. A missing resource or handler does not compile. */
export function room<N extends Calls, D>(
  calls: N,
  handlersOf: (deps: D) => { readonly [K in keyof N]: Handlers<N[K]> },
  work: Work = {},
): Room<N, D> {
  function mount(app: FastifyInstance, deps: D & MountDeps): void {
    const handlers = handlersOf(deps);
    for (const [noun, routes] of Object.entries(calls) as [keyof N, N[keyof N]][]) {
      mountRoutes(app, routes, handlers[noun], deps);
    }
  }
  return { calls, mount, ...work };
}
