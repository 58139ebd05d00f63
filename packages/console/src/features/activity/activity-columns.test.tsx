import { cleanup, render } from "@testing-library/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import type { Activity } from "@red/contract/activity";
import { addTexts } from "#lib/language.ts";
import { loadSession } from "#lib/session.ts";
import { operatorWith } from "#test/operator.ts";
import { NameCell } from "./activity-columns.tsx";
import { ACTIVITY_TEXTS } from "./activity-texts.ts";

const USER = operatorWith("activity.write");

beforeAll(async () => {
  addTexts("activity", ACTIVITY_TEXTS);
  vi.stubGlobal("fetch", () =>
    Promise.resolve(Response.json({ code: 200, msg: "success", data: USER })),
  );
  await loadSession();
});
afterEach(cleanup);

const ROUND: Activity = {
  id: 41,
  act_id: 41,
  version: 3,
  rounds_name: "周末红包A",
  tag: "weekend",
  red_code: "RED_PACKET",
  pool_name: "周末池",
  condition_name: "2",
  condition_formula: "1",
  condition_type: "2",
  condition_value: "120",
  condition_times: 1,
  turnover: 3,
  achieve_start_time: "2000-01-01 00:00:00",
  achieve_end_time: "2999-12-31 23:59:59",
  start_time: "2000-01-01 00:00:00",
  end_time: "2999-12-31 23:59:59",
  rounds_status: 1,
};

function chip(change: Partial<Activity>, isStopped: boolean) {
  render(<NameCell activity={{ ...ROUND, ...change }} isStopped={isStopped} />);
  const status = document.querySelector(".k-status");
  const told = [status?.textContent, status?.className.replace("k-status k-status-", "")];
  cleanup();
  return told;
}

it.each<[string, Partial<Activity>, string[], string[]]>([
  ["running", {}, ["进行中", "success"], ["全部抽奖已暂停", "warning"]],
  [
    "waiting",
    { start_time: "2999-12-31 00:00:00" },
    ["未开始", "neutral"],
    ["未开始，已停抽", "warning"],
  ],
  ["paused", { rounds_status: 0 }, ["已暂停", "warning"], ["已暂停", "warning"]],
  ["over", { end_time: "2000-01-02 00:00:00" }, ["已结束", "neutral"], ["已结束", "neutral"]],
])("a round that is %s, and while all draws are stopped", (_name, change, otherwise, stopped) => {
  expect(chip(change, false)).toEqual(otherwise);
  expect(chip(change, true)).toEqual(stopped);
});
