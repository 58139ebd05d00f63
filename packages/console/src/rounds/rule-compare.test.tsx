import { screen, within } from "@testing-library/react";
import { Form } from "antd";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Activity } from "@red/contract/rounds/activity";
import { dayjs } from "#ui/wall-time.ts";
import { valuesOf } from "./activity-values.ts";
import type { ActivityValues } from "./activity-values.ts";
import { LivePreview } from "./rule-preview.tsx";
import { activityRoutes } from "@red/contract/rounds/activity";
import { renderApp } from "#test/app.tsx";
import { serve, signIn } from "#test/server.ts";
import { ROUND } from "#test/fixtures.ts";

beforeAll(async () => {
  await signIn("activity.write");
  serve(activityRoutes.tags, { tags: { weekend: "周末红包", dragon: "端午红包" } });
  serve(activityRoutes.overlap, { content: [], total: 0 });
  serve(activityRoutes.largest, { amount: null });
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  at("2026-11-20 21:00:00");
});
afterEach(() => vi.useRealTimers());

function at(moment: string): void {
  vi.setSystemTime(`${moment.replace(" ", "T")}+08:00`);
}

function Editor({ source, entered }: { source: Activity | null; entered: ActivityValues }) {
  const [form] = Form.useForm<ActivityValues>();
  return (
    <Form form={form} initialValues={entered}>
      {Object.keys(entered).map((name) => (
        <Form.Item key={name} name={name} noStyle>
          <Kept />
        </Form.Item>
      ))}
      <LivePreview form={form} source={source} />
    </Form>
  );
}

/** A field without output. It only registers the value in the form. */
function Kept() {
  return null;
}

/** Waits for the comparison with the saved round and returns it, or null if there is no comparison. */
async function compared(more: ActivityValues, source: Activity | null = ROUND) {
  renderApp(<Editor source={source} entered={{ ...valuesOf(ROUND), ...more }} />);
  await screen.findAllByText(/组别的额外次数/u);
  return screen.queryByRole("region", { name: "改动前后" });
}

async function shownComparison(more: ActivityValues): Promise<HTMLElement> {
  await compared(more);
  return screen.getByRole("region", { name: "改动前后" });
}

function examplesOf(section: HTMLElement): string[] {
  const [, ...groups] = within(section).getAllByRole("rowgroup");
  return groups.map((group) =>
    [...group.querySelectorAll("th, td")].map((cell) => cell.textContent).join(" | "),
  );
}

it("shows the rule now, the rule after saving, and both on the same amounts", async () => {
  const section = await shownComparison({ condition_value: "200" });
  const terms = within(section).getAllByRole("term");
  expect(terms.map((term) => term.textContent)).toEqual(["现在生效", "保存后生效"]);
  const [held, entered] = within(section).getAllByRole("definition");
  expect(held?.textContent).toContain("合计每满 120，获得 1 次抽奖");
  expect(entered?.textContent).toContain("合计每满 200，获得 1 次抽奖");
  expect(examplesOf(section)).toEqual([
    "累计存款 300 | 2 次 | 1 次 少 1 次",
    "累计存款 119.99 | 0 次 | 0 次",
    "累计存款 500 | 4 次 | 2 次 少 2 次",
    "累计存款 199.99 | 1 次 | 0 次 少 1 次",
    "累计存款 300，另有额外次数 1 个 | 3 次 | 2 次 少 1 次",
  ]);
  expect(section.textContent).toContain("重新计算所有玩家的次数");
  expect(section.textContent).not.toContain("条件时间也有改动");
  // The preview does not repeat the rule.
  expect(screen.getAllByText(/合计每满 200/u)).toHaveLength(1);
});

it("says that chances stay when only draw time, pool or turnover change", async () => {
  const section = await compared({ turnover: 5, end_time: dayjs("2026-11-20 23:00:00") });
  expect(section?.textContent).toContain("玩家的次数也不变");
  expect(section?.textContent).not.toContain("重新计算");
  expect(section?.querySelector("strong")).toBeNull();
});

it("says what the examples assume when the condition window changes", async () => {
  const section = await compared({ achieve_end_time: dayjs("2026-11-20 21:30:00") });
  expect(section?.textContent).toContain("条件时间也有改动");
  expect(section?.textContent).toContain("重新计算所有玩家的次数");
});

it("names the group whose extra times count, before and after", async () => {
  const section = await shownComparison({ tag: "dragon" });
  expect(examplesOf(section).slice(2)).toEqual([
    "累计存款 300，另有「周末红包」组别的额外次数 1 个 | 3 次 | 2 次 少 1 次",
    "累计存款 300，另有「端午红包」组别的额外次数 1 个 | 2 次 | 3 次 多 1 次",
  ]);
});

const CHANGED = { condition_value: "200" };
const RUNNING = "2026-11-20 21:00:00";

it.each<[string, string, ActivityValues, Activity | null, boolean]>([
  ["has not started", "2026-11-20 19:59:59", CHANGED, ROUND, false],
  ["is in its first second", "2026-11-20 20:00:00", CHANGED, ROUND, true],
  ["is in its last second", "2026-11-20 22:00:00", CHANGED, ROUND, true],
  ["is over", "2026-11-20 22:00:01", CHANGED, ROUND, false],
  // A paused round gives chances too.
  ["is paused", RUNNING, CHANGED, { ...ROUND, rounds_status: 0 }, true],
  ["is new", RUNNING, CHANGED, null, false],
  ["does not change", RUNNING, {}, ROUND, false],
  ["changes only in notation", RUNNING, { condition_value: "120" }, ROUND, false],
  ["changes outside the rule", RUNNING, { rounds_name: "另一个", red_code: "OTHER" }, ROUND, false],
])("compares, or not, a round that %s", async (_what, moment, more, source, isCompared) => {
  at(moment);
  expect((await compared(more, source)) !== null).toBe(isCompared);
  expect(screen.queryByRole("heading", { name: "举例" }) === null).toBe(isCompared);
});
