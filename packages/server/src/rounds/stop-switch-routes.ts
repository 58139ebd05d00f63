/** Routes that stop draws and payouts, and start them again (behaviour §5, §6). */
import { AppError } from "@red/contract/errors";
import { LOGIN_CODES } from "@red/contract/session";
import type { stopSwitchRoutes } from "@red/contract/stop-switch";
import { addressGroup } from "#platform/address-group";
import { clearStopSwitch } from "./clear-stop-switch.ts";
import { setStopSwitch } from "./set-stop-switch.ts";
import type { StopTarget } from "./set-stop-switch.ts";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { selectStops, toStop } from "./stop-switch-sql.ts";
import type { Handlers, Operator, Outcome, Services } from "#platform/handlers";
import type { FastifyRequest } from "fastify";

interface StopCall {
  readonly tx: Tx;
  readonly actor: Actor;
  readonly body: { readonly reason?: string | null | undefined };
}

interface StartCall {
  readonly tx: Tx;
  readonly actor: Actor;
  readonly operator: Operator | null;
  readonly services: Services;
  readonly request: FastifyRequest;
  readonly body: { readonly code?: string | null | undefined };
}

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
