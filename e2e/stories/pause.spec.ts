/** Story 4: a round is paused while 64 draws are in flight; none commits after the answer. */
import { expect } from "@playwright/test";
import { askFor, inFlight } from "../outside/platform.ts";
import { makeOpenRound } from "./round.ts";
import { openConsole, test, verify } from "./stage.ts";

const PLAYERS = 400;

test("pause during 64 draws in flight, none commits after the answer", async ({ page, stage }) => {
  const { operator, token } = await stage.operator("pauser");
  const rounds_id = await makeOpenRound(operator, "暂停", 100_000);
  const players = Array.from({ length: PLAYERS }, (_, at) => ({
    player_id: `pause-${at}`,
    user_name: `pause-${at}`,
  }));
  await stage.platform.call("POST", "/open/v1/players", { players });
  await openConsole(page, stage, token, "/activity_manage/config");
  const toggle = page.getByRole("switch", { name: /暂停 开关/ });
  await expect(toggle).toBeChecked();

  let stopped = false;
  const asks = Array.from({ length: PLAYERS * 5 }, (_, at) =>
    askFor(rounds_id, `pause-${at % PLAYERS}`),
  );
  const answers = inFlight(asks, 64, async (ask) => {
    return stopped ? null : await stage.platform.draw(ask);
  });
  await expect.poll(async () => (await operator.records(rounds_id)).length).toBeGreaterThan(100);

  // A system that only says "done" goes on drawing.
  stage.switchboard.swallow(`PUT /gred/api/act/pause/${rounds_id}`);
  const swallowed = page.waitForResponse((response) => response.url().includes("/act/pause/"));
  await toggle.click();
  await swallowed;
  const running = (await operator.records(rounds_id)).length;
  await expect
    .poll(async () => (await operator.records(rounds_id)).length)
    .toBeGreaterThan(running);
  stage.switchboard.swallow(null);

  await page.reload();
  const answered = page.waitForResponse((response) => response.url().includes("/act/pause/"));
  await toggle.click();
  await answered;
  const atPause = (await operator.records(rounds_id)).length;
  await expect(page.getByText("暂停活动成功")).toBeVisible();
  const all = await answers;
  stopped = true;
  const drawn = all.filter((answer) => answer?.status === 201).length;
  const refused = all.filter((answer) => answer?.code === "round_not_active").length;
  const others = all.filter((a) => a?.status !== 201 && a?.code !== "round_not_active");
  expect(others.map((answer) => answer?.text)).toEqual([]);
  expect((await operator.records(rounds_id)).length).toBe(atPause);
  expect(drawn).toBe(atPause);
  expect(refused).toBe(asks.length - atPause);
  expect(refused).toBeGreaterThan(0);
  await expect(toggle).not.toBeChecked();
  expect(await verify(stage)).toBe(true);
});
