/** Routes that stop draws and payouts, and start them again (behaviour §5, §6). */
import type { stopSwitchRoutes } from "@red/contract/stops/stop-switch";
import { setStopSwitch, startAgain } from "./stop-switches.ts";
import type { StopTarget } from "./stop-switches.ts";
import { selectStops, toStop } from "./stop-switch-sql.ts";
import type { Handlers, WriteCall } from "#platform/handlers";

type Routes = typeof stopSwitchRoutes;
type StopCall = Omit<WriteCall<Routes["stopDraws"]>, "params">;
type StartCall = Omit<WriteCall<Routes["startDraws"]>, "params">;

async function stop({ tx, actor, body }: StopCall, target: StopTarget) {
  const { reason = null } = body;
  await setStopSwitch(tx, actor, target, reason === "" ? null : reason);
  return { data: null, msg: "stopped" } as const;
}

async function start({ tx, actor }: StartCall, target: StopTarget) {
  return { ...(await startAgain(tx, actor, target)), msg: "started" } as const;
}

export const stopSwitchHandlers: Handlers<typeof stopSwitchRoutes> = {
  async list({ db, services }) {
    const { timeZone } = services.settings;
    const content = (await selectStops(db)).map((row) => toStop(row, timeZone));
    return { data: { content, total: content.length } };
  },
  stopDraws: (call) => stop(call, { name: "draws" }),
  startDraws: (call) => start(call, { name: "draws" }),
  stopPayouts: (call) => stop(call, { name: "payouts" }),
  startPayouts: (call) => start(call, { name: "payouts" }),
  stopEverything: (call) => stop(call, { name: "everything" }),
  startEverything: (call) => start(call, { name: "everything" }),
  stopPool: (call) => stop(call, { name: "pool", pool_id: call.params.id }),
  startPool: (call) => start(call, { name: "pool", pool_id: call.params.id }),
};
