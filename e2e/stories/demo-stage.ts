/** The demonstration as a stage: with days of history, its wallet and its platform. */
import path from "node:path";
import { numberAt, parsed } from "../outside/json.ts";
import { freePort, runRedctl, startSystem } from "../outside/server.ts";
import { makeOperator } from "../outside/sign-in.ts";
import { ADMIN } from "./stage.ts";

const ROOT = process.cwd();

/** Starts a demonstration with `days` of history in `folder`; `still`: without wallet and platform. */
export async function openDemoStage(folder: string, days: number, still = false) {
  const port = await freePort();
  const environment = {
    PORT: String(port),
    DATA_DIR: path.join(folder, "data"),
    DEMO: still ? "off" : "auto",
    LOG_LEVEL: "warn",
    ADMIN_USERNAME: ADMIN.username,
    ADMIN_PASSWORD: ADMIN.password,
  };
  const base = `http://127.0.0.1:${port}`;
  const redctl = (args: string) => runRedctl(ROOT, environment, args);
  const seeded = await redctl(`seed --demo --days ${days} --json`);
  if (seeded.code !== 0 || numberAt(parsed(seeded.out), "days") !== days) {
    throw new Error(`the demonstration was not made: ${seeded.out}${seeded.err}`);
  }
  const system = await startSystem(environment, base, folder);
  return {
    base,
    redctl,
    operator: (name: string) => makeOperator(base, redctl, name),
    close: async () => {
      const { code } = await system.stop();
      if (code !== 0) {
        throw new Error(`the demonstration ended with ${String(code)}: ${system.output()}`);
      }
    },
  };
}

export type DemoStage = Awaited<ReturnType<typeof openDemoStage>>;
