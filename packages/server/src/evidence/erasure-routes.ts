/** Route that erases a player (behaviour §3). */
import type { erasureRoutes } from "@red/contract/erasure";
import { AppError } from "@red/contract/errors";
import { LOGIN_CODES } from "@red/contract/session";
import { confirmCode } from "#identity/confirm-code";
import { addressGroup } from "#platform/address-group";
import type { Handlers } from "#platform/handlers";
import { erasePlayer } from "./erase-player.ts";

export const erasureHandlers: Handlers<typeof erasureRoutes> = {
  async erase({ tx, actor, operator, body, services, request }) {
    if (operator === null) {
      throw new AppError("signed_out");
    }
    const proof = { name: operator.name, address: addressGroup(request.ip), code: body.code };
    const verdict = await confirmCode(tx, services.secrets, actor, proof, new Date());
    // Returned, not thrown, because the count of wrong codes must be committed.
    return verdict === "right"
      ? { data: await erasePlayer(tx, actor, body.user_name), msg: "erased" }
      : { data: null, msg: verdict, code: LOGIN_CODES.code_wanted };
  },
};
