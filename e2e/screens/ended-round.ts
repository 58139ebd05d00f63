/** A round that is over and ties out, so that its sheet can be signed off. */
import { expect } from "@playwright/test";
import { shown } from "../outside/context.ts";
import { numberAt, textAt } from "../outside/json.ts";
import type { Operator, RecordRow } from "../outside/operator.ts";
import { askFor } from "../outside/platform.ts";
import { codeOf, stepAt } from "../outside/totp.ts";
import type { Stage } from "../stories/stage.ts";

/** Money prizes won before the round ends; some physical ones come with them. */
const PAID = 3;

/** Makes the round, draws for the player, and ends it once the wallet has paid; answers its records too. */
export async function playToEnd(
  { platform, wallet }: Stage,
  { data, records }: Operator,
  round: object,
  player_id: string,
): Promise<{ id: number; rows: readonly RecordRow[] }> {
  const id = numberAt(await data("POST", "/gred/api/act", round), "id");
  await wallet.control("pay");
  for (let paid = 0; paid < PAID;) {
    const { body } = await platform.draw(askFor(id, player_id));
    paid += textAt(body, "award_price") === "0.00" ? 0 : 1;
  }
  const paid = async () =>
    (await records(id)).filter(({ payout_state }) => payout_state === "paid").length;
  await expect.poll(paid, { timeout: 60_000 }).toBe(PAID);
  // The end includes its second.
  const end_time = shown(Date.now() - 2_000);
  await data("PUT", `/gred/api/act/update/${id}`, { ...round, id, act_id: id, end_time });
  return { id, rows: await records(id) };
}

/** Signs the sheet; the code of this time step is used, but the next one is already accepted. */
export async function signOff({ data }: Operator, id: number, seed: string): Promise<void> {
  const hash = textAt(await data("GET", `/gred/api/act/${id}/sheet`, null), "hash");
  const code = codeOf(seed, stepAt(Date.now()) + 1);
  await data("POST", `/gred/api/act/${id}/sheet/sign`, { hash, code });
}
