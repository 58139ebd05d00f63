/** Tests overview and boards with a stream that the test writes: links of figures, numbers of charts, reconnecting. */
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { HIDDEN } from "@red/contract/platform/money";
import { FIGURE_STATES, watchRoutes } from "@red/contract/watch/watch";
import type { Board, Overview } from "@red/contract/watch/watch";
import { ROUND } from "#test/fixtures.ts";
import { renderApp } from "#test/app.tsx";
import { refusal, serve, signIn } from "#test/server.ts";
import type { ChartData } from "./chart.tsx";
import { BoardOf, OverviewPage } from "./watch-pages.tsx";

const sum = (count: number, amount = `${count}.50`) => ({ count, amount });
const [none, at, day] = [sum(0, "0.00"), "2026-11-20 20:05:07", "2026-11-20 00:00:00"];
const OUTCOMES = { drawn: sum(9), paid: sum(5), open: sum(3), closed: sum(1), waiting: sum(2) };
const SUMS = { ...OUTCOMES, refused: sum(4), unknown: none, check: none, goods: sum(6, "0.00") };
const { rounds_name, start_time, end_time, rounds_status, pool_name, pool_gate } = ROUND;
const STATUS = { rounds_status, pool_name, pool_gate, phase: "running" } as const;
const NAMED = { rounds_id: 41, rounds_name, start_time, end_time, ...STATUS };
const LEFT = { award_price: "88.00", award_total: 10, remaining: 2 };
const LOW = { prize_id: 3, award_name: "大奖", ...LEFT, rounds_id: 41, pool_name };

const OVERVIEW: Overview = {
  at,
  day,
  rounds: [{ ...NAMED, drawn: sum(12), today: sum(11), pace: [1, 4] }],
  stopped: [],
  needs: {
    ...SUMS,
    breaks: sum(7),
    low_prizes: { count: 1, prizes: [LOW] },
    unsigned: [{ month: "2026-10", count: 8 }],
  },
  today: { ...SUMS, deposits: sum(13), bets: sum(14) },
};

const BOARD: Board = {
  ...NAMED,
  ...SUMS,
  at,
  minutes: [
    { minute: "2026-11-20 20:04:00", drawn: sum(6), refused: 1 },
    { minute: "2026-11-20 20:05:00", drawn: sum(3), refused: 0 },
  ],
  lately: sum(9),
  refusals: [{ reason: "no_chance_left", count: 1 }],
  prizes: [
    { ...LOW, drawn_prize: 5, drawn: sum(8), lately: 8, runs_out_at: "2026-11-20 20:40:00" },
  ],
  drains_at: null,
  wallet: { trouble: null, waiting: none },
  stops: [],
};

let links: WritableStreamDefaultWriter<Uint8Array>[] = [];
const send = (data: Overview) =>
  void links
    .at(-1)
    ?.write(new TextEncoder().encode(`event: overview\ndata: ${JSON.stringify(data)}\n\n`));

beforeEach(async () => {
  links = [];
  await signIn("record.read");
  serve(watchRoutes.overview, OVERVIEW);
  serve(watchRoutes.stream, () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    links.push(writable.getWriter());
    return new Response(readable);
  });
});

const sourceOf = (count: number) => document.querySelector(`[data-count="${count}"]`);
const listOf = (count: number) => sourceOf(count)?.getAttribute("data-source");

it("links each figure to the list that adds up to it", async () => {
  renderApp(<OverviewPage />);
  await screen.findByText("需要处理");
  const records = "/activity_manage/distribution";
  const since = "start_time=2026-11-20+00%3A00%3A00";
  expect(listOf(4)).toBe(`${records}?payout_state=refused`);
  expect(listOf(7)).toBe("/activity_manage/reconciliation?open=1");
  expect(listOf(8)).toBe("/activity_manage/month?month=2026-10");
  const paid = encodeURIComponent(FIGURE_STATES.paid.join());
  expect(listOf(5)).toBe(`${records}?${since}&payout_state=${paid}`);
  expect(listOf(14)).toBe(`/activity_manage/deposit_bet?tab=1&${since}`);
  expect(listOf(11)).toBe(`${records}?rounds_id=41&${since}`);
  expect(sourceOf(12)).toHaveProperty("dataset.amount", "12.50");
  expect(screen.getByText("大奖 2/10")).toHaveProperty("pathname", "/overview/41");
});

it("shows a masked sum, but none for goods", async () => {
  const masked = (one: object) =>
    JSON.parse(JSON.stringify(one, (key, of) => (key === "amount" ? HIDDEN : of)));
  serve(watchRoutes.overview, masked(OVERVIEW));
  renderApp(<OverviewPage />);
  await screen.findByText("需要处理");
  expect([4, 6, 0, 7].map((count) => sourceOf(count)?.textContent)).toEqual([
    "4 ***",
    "6 ",
    "0 ",
    "7 ***",
  ]);
});

it("shows the same numbers in a chart and its table, and when a prize runs out", async () => {
  serve(watchRoutes.board, BOARD);
  renderApp(<BoardOf id="41" />);
  for (const name of ["每分钟抽奖", "未能抽奖的请求", "奖品库存"]) {
    fireEvent.click(await screen.findByRole("button", { name: `${name} 表格` }));
    const table = screen.getByRole("table", { name });
    const numbers = [...table.querySelectorAll(".ant-table-row td")].map(
      (cell) => cell.querySelector("a")?.dataset["count"] ?? cell.textContent,
    );
    const chart: ChartData = JSON.parse(table.closest("section")?.dataset["series"] ?? "");
    const drawn = chart.rows.map((_, row) => chart.series.map(({ data }) => String(data[row])));
    const notes = name === "奖品库存" ? ["11-20 20:40"] : [];
    expect(numbers).toEqual([...(chart.isLying ? drawn : drawn.toReversed()).flat(), ...notes]);
  }
  const minute = document.querySelector("[data-source*=end_time]")?.getAttribute("data-source");
  expect(minute).toContain("start_time=2026-11-20+20%3A05%3A00&end_time=2026-11-20+20%3A05%3A59");
});

it("says that it is out of date, reconnects, rests while hidden, and ends when the call is refused", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const visible = vi.spyOn(document, "hidden", "get").mockReturnValue(false);
  renderApp(<OverviewPage />);
  await screen.findByText("最后更新 20:05:07，重新连接中");
  await waitFor(() => expect(links).toHaveLength(1));
  send({ ...OVERVIEW, at: "2026-11-20 20:05:09" });
  await screen.findByText("实时更新，最近变化 20:05:09");
  await links[0]?.close();
  await screen.findByText(/重新连接中/);
  await waitFor(() => expect(links).toHaveLength(2));
  send(OVERVIEW);
  await screen.findByText(/^实时更新/);
  expect(screen.getByText("进行中")).toBeTruthy();
  send({ ...OVERVIEW, stopped: ["draws", "payouts"] });
  await screen.findByText("全部抽奖已暂停");
  expect(screen.getByText("暂不能抽奖")).toBeTruthy();
  expect(screen.queryByText("进行中")).toBeNull();
  send(OVERVIEW);
  await screen.findByText("进行中");

  // The stream is silent for longer than two heartbeats, as after the computer slept.
  await act(() => vi.advanceTimersByTimeAsync(37_000));
  expect(links).toHaveLength(3);
  visible.mockReturnValue(true);
  await act(() => vi.advanceTimersByTimeAsync(120_000));
  const before = links.length;
  await act(() => vi.advanceTimersByTimeAsync(120_000));
  expect(links).toHaveLength(before);
  visible.mockReturnValue(false);
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  expect(links).toHaveLength(before + 1);

  serve(watchRoutes.overview, () => refusal(403, "没有权限"));
  await links.at(-1)?.close();
  expect((await screen.findByRole("alert")).textContent).toContain("没有权限");
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(links).toHaveLength(before + 1);
  vi.useRealTimers();
});
