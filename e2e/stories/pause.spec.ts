/** Story 4: a round is paused with 64 draws in flight; none commits after the answer. */
import { expect } from "@playwright/test";
import { drawUntilRefused, makeCrowd } from "./crowd.ts";
import { GOODS, makeOpenRound } from "./round.ts";
import { openConsole, test } from "./stage.ts";

/** Five chances each: more than can be drawn before the pause. */
const PLAYERS = 4_000;

test("pause during 64 draws in flight, none commits after the answer", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  const rounds_id = await makeOpenRound(operator, "暂停", 100_000, GOODS);
  const ids = await makeCrowd(stage, "pause", PLAYERS);
  await openConsole(page, stage, token, "/activity_manage/config");
  const toggle = page.getByRole("switch", { name: /暂停 开关/ });
  await expect(toggle).toBeChecked();

  const answers = drawUntilRefused(stage, rounds_id, ids);
  await expect.poll(async () => (await operator.records(rounds_id)).length).toBeGreaterThan(100);

  const answered = page.waitForResponse((response) => response.url().includes("/act/pause/"));
  await toggle.click();
  await answered;
  const atPause = (await operator.records(rounds_id)).length;
  await expect(page.getByText("暂停活动成功")).toBeVisible();
  const kinds = await answers;
  const drawn = kinds.filter((kind) => kind === "200" || kind === "201").length;
  const refused = kinds.filter((kind) => kind === "round_not_active").length;
  expect((await operator.records(rounds_id)).length).toBe(atPause);
  expect([drawn, refused, kinds.length]).toEqual([atPause, 64, atPause + 64]);
  await expect(toggle).not.toBeChecked();
});

test("two switches at once are each told, and a pause that fails starts the list over", async ({
  page,
  stage,
}) => {
  const { operator, token } = await stage.operator();
  const first = await makeOpenRound(operator, "双停一", 1);
  await makeOpenRound(operator, "双停二", 1);
  await openConsole(page, stage, token, "/activity_manage/config?rounds_name=双停&size=50");
  const [one, two] = [/双停一 开关/, /双停二 开关/].map((name) =>
    page.getByRole("switch", { name }),
  );
  const busy = page.getByRole("switch", { disabled: true });
  const path = `PUT /gred/api/act/pause/${first}`;
  stage.switchboard.cut(path);
  await one?.click();
  await expect(page).not.toHaveURL(/size=/);
  await expect(busy).toHaveCount(0);
  stage.switchboard.cut(null);

  stage.switchboard.hold(path);
  await one?.click();
  await two?.click();
  await expect(page.getByText("暂停活动成功")).toBeVisible();
  await expect(busy).toHaveCount(1);
  stage.switchboard.hold(null);
  await expect(busy).toHaveCount(0);
});
