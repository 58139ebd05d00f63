/** Data for the tasks: rounds of the demonstration, and our own players. */
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { shown } from "../../outside/context.ts";
import { listAt, numberAt, textAt } from "../../outside/json.ts";
import type { Operator } from "../../outside/operator.ts";
import { askFor } from "../../outside/platform.ts";
import { authenticatorOf, stepAt } from "../../outside/totp.ts";
import type { Authenticator } from "../../outside/totp.ts";
import type { DemoStage } from "../demo-stage.ts";

export const GRANTED = 500;
/** The account of the operator. */
export const NAME = "task-operator";
/** Rounds of the demonstration (demo/demo-plan.ts of the server). */
export const YESTERDAYS = "累计充值回馈";
const BY_DEPOSIT = "周末红包雨";
const FOR_ALL = "天天抽实物";

export interface Scene {
  readonly stage: DemoStage;
  readonly operator: Operator;
  readonly token: string;
  readonly authenticator: Authenticator;
  /** Deposited 130.00 today: one draw in the round that gives one for every full 120; drew elsewhere. */
  readonly asker: string;
  /** Accounts on the pasted list. */
  readonly granted: readonly string[];
  /** Today's round that the asker asks about. */
  readonly asked: { readonly id: number; readonly name: string };
}

export interface Task {
  readonly what: string;
  /** Limit for clicks. */
  readonly clicks: number;
  /** Limit for keys; without it they are only reported. */
  readonly keys?: number;
  /** Limit for seconds; without it they are only reported. */
  readonly seconds?: number;
  /** The page on which the task begins. */
  readonly from: string | ((scene: Scene) => Promise<string>);
  /** Resolves once that page can be used. */
  ready(page: Page): Promise<void>;
  /**
   * Does the task like an operator, until the screen shows its end. Answers a check of the result by API, which throws
   * when it is wrong.
   */
  act(page: Page, scene: Scene): Promise<() => Promise<void>>;
  /** It cannot be undone. */
  readonly isOnce?: true;
  /** Undoes what would disturb the next run. */
  undo?(scene: Scene): Promise<void>;
}

/** Resolves once the page of this heading is there. */
export function headed(name: string): Task["ready"] {
  return (page) => expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
}

export function today(): string {
  return shown(Date.now()).slice(0, 10);
}

export async function roundsOn(operator: Operator, day: string): Promise<unknown[]> {
  const list = await operator.data(
    "GET",
    `/gred/api/act/list?start_date=${day}&page=1&size=99`,
    null,
  );
  return listAt(list, "content");
}

export async function roundNamed(operator: Operator, day: string, name: string): Promise<number> {
  const found = (await roundsOn(operator, day)).find((row) => textAt(row, "rounds_name") === name);
  return numberAt(found, "id");
}

/** Number of payouts that wait for their first answer. */
export async function queued({ operator }: Pick<Scene, "operator">): Promise<number> {
  const list = await operator.data(
    "GET",
    "/gred/api/record/list?award_status=0&page=1&size=1000",
    null,
  );
  return listAt(list, "content").filter((row) => textAt(row, "payout_state") === "queued").length;
}

/** Registers the players; one of them deposits and draws. */
export async function openScene(stage: DemoStage): Promise<Scene> {
  const { operator, token, seed } = await stage.operator(NAME);
  const authenticator = authenticatorOf(seed, stepAt(Date.now()));
  const asker = "task_asker";
  const granted = Array.from({ length: GRANTED }, (_, at) => `task_${String(at).padStart(3, "0")}`);
  const players = [asker, ...granted].map((name) => ({ player_id: `${name}-id`, user_name: name }));
  await stage.platform.call("POST", "/open/v1/players", { players });
  const created_at = new Date().toISOString();
  const player_id = `${asker}-id`;
  await stage.platform.call("POST", "/open/v1/deposits", {
    deposits: [
      {
        order_no: "task-1",
        player_id,
        user_name: asker,
        amount: "130.00",
        channel: 1,
        client: 1,
        created_at,
      },
    ],
  });
  const forAll = await roundNamed(operator, today(), FOR_ALL);
  const drawn = await stage.platform.draw(askFor(forAll, player_id));
  if (drawn.status !== 201) {
    throw new Error(`the asker could not draw: ${drawn.text}`);
  }
  const id = await roundNamed(operator, today(), BY_DEPOSIT);
  const asked = { id, name: BY_DEPOSIT };
  return { stage, operator, token, authenticator, asker, granted, asked };
}
