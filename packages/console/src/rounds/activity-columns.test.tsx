import { cleanup } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import type { Activity } from "@red/contract/rounds/activity";
import { NameCell } from "./activity-columns.tsx";
import { renderApp } from "#test/app.tsx";
import { ROUND } from "#test/fixtures.ts";
import { signIn } from "#test/server.ts";

beforeAll(() => signIn("activity.write"));

const LASTING: Activity = {
  ...ROUND,
  start_time: "2000-01-01 00:00:00",
  end_time: "2999-12-31 23:59:59",
};

function chip(change: Partial<Activity>, isStopped: boolean) {
  renderApp(<NameCell activity={{ ...LASTING, ...change }} isStopped={isStopped} />);
  const status = document.querySelector(".k-status");
  const shown = [status?.textContent, status?.className.replace("k-status k-status-", "")];
  cleanup();
  return shown;
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
])(
  "marks a round that is %s, also while all draws are stopped",
  (_name, change, otherwise, stopped) => {
    expect(chip(change, false)).toEqual(otherwise);
    expect(chip(change, true)).toEqual(stopped);
  },
);
