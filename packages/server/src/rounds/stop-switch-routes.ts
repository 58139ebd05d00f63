/** Routes that stop draws and payouts, and start them again (behaviour §5, §6). */
import { AppError } from "@red/contract/errors";
import { LOGIN_CODES } from "@red/contract/session";
import type { stopSwitchRoutes } from "@red/contract/stop-switch";
import { addressGroup } from "#platform/address-group";
import { clearStopSwitch, setStopSwitch } from "./stop-switches.ts";
import type { StopTarget } from "./stop-switches.ts";
import { selectStops, toStop } from "./stop-switch-sql.ts";
import type { Handlers, Outcome, WriteCall } from "#platform/handlers";

type Routes = typeof stopSwitchRoutes;
type StopCall = Omit<WriteCall<Routes["stopDraws"]>, "params">;
type StartCall = Omit<WriteCall<Routes["startDraws"]>, "params">;

async function stop({ tx, actor, body }: StopCall, target: StopTarget): Promise<Outcome<null>> {
  const { reason = null } = body;
  await setStopSwitch(tx, actor, target, reason === "" ? null : reason);
  return { data: null, msg: "stopped" };
}

/** A wrong code is returned, not thrown, because its count must be committed. */
async function start(call: StartCall, target: StopTarget): Promise<Outcome<null>> {
  const { tx, actor, operator, services, request, body } = call;
  if (operator === null) {
    throw new AppError("signed_out");
  }
  const proof = { name: operator.name, address: addressGroup(request.ip), code: body.code };
  const verdict = await clearStopSwitch(tx, services.secrets, actor, target, proof, new Date());
  return verdict === "right"
    ? { data: null, msg: "started" }
    : { data: null, msg: verdict, code: LOGIN_CODES.code_wanted };
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
