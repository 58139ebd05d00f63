/**
 * Groups, message codes and the look-up tables of the specification (§3, §4, §9). The expected
 * values are copied from the specification.
 */
import { activityRoutes } from "@red/contract/rounds/activity";
import { lookupRoutes } from "@red/contract/rounds/lookup";
import { redCodeRoutes, tagRoutes } from "@red/contract/rounds/tag";
import { hold, untilWaiting } from "#test/races";
import { createLookup, ensureDefaultMessageCode } from "./save-lookup.ts";
import { OPERATOR } from "#test/activity-factory";
import { auditsOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { expect, test } from "vitest";

const t = useTestDb();
const app = useTestApp(t);

const audits = (object_type: string, object_id: string) =>
  auditsOf(t.db, ["actor", "action", "before", "after"], { object_type, object_id });

test("two groups exist from the start; an added one can be chosen at once", async () => {
  const two = [
    { tag: "dragon", label: "端午红包" },
    { tag: "weekend", label: "周末红包" },
  ];
  expect((await app.call(tagRoutes.list, {})).data).toEqual({ content: two, total: 2 });
  const body = { tag: "mid-autumn", label: "中秋红包" };
  expect(await app.call(tagRoutes.create, { body })).toEqual({
    code: 200,
    msg: "添加成功",
    data: null,
  });
  expect((await app.call(activityRoutes.tags, {})).data).toEqual({
    tags: { dragon: "端午红包", "mid-autumn": "中秋红包", weekend: "周末红包" },
  });
  expect(await audits("tag", "mid-autumn")).toEqual([
    { actor: "root-op", action: "create_tag", before: null, after: body },
  ]);
});

test("a key is unique, also when two add it at once", async () => {
  const body = { tag: "spring", label: "春节红包" };
  const first = await hold(t.db, (tx) => createLookup(tx, OPERATOR, "tag", body));
  const second = app.call(tagRoutes.create, { body });
  await untilWaiting(t.db);
  await first.commit();
  expect(await second).toMatchObject({ code: 409, msg: "已有这个活动组别，请换一个标识" });
  expect(await audits("tag", "spring")).toHaveLength(1);
});

test("the installation's message code exists once and keeps its label", async () => {
  await ensureDefaultMessageCode(t.db, "RED PACKET");
  const list = async () => (await app.call(redCodeRoutes.list, {})).data;
  const before = { red_code: "RED PACKET", label: "默认站内信" };
  expect(await list()).toEqual({ content: [before], total: 1 });
  const after = { red_code: "RED PACKET", label: "红包到账" };
  const renamed = { params: { red_code: "RED PACKET" }, body: { label: "红包到账" } };
  expect(await app.call(redCodeRoutes.rename, renamed)).toEqual({
    code: 200,
    msg: "修改成功",
    data: null,
  });
  await ensureDefaultMessageCode(t.db, "RED PACKET");
  expect(await list()).toEqual({ content: [after], total: 1 });
  expect(await audits("message_code", "RED PACKET")).toEqual([
    { actor: "start", action: "create_message_code", before: null, after: before },
    { actor: "root-op", action: "rename_message_code", before, after },
  ]);
});

test("refusals use the words of the kind", async () => {
  const label = "周末";
  const addCode = async (red_code: string) =>
    await app.call(redCodeRoutes.create, { body: { red_code, label } });
  const body = { label };
  expect(await addCode("WEEKEND.1")).toMatchObject({ code: 200, msg: "添加成功" });
  expect(await addCode("WEEKEND.1")).toMatchObject({
    code: 409,
    msg: "已有这个站内信代码，请换一个",
  });
  expect(await app.call(tagRoutes.rename, { params: { tag: "moon" }, body })).toMatchObject({
    code: 404,
    msg: "没有这个活动组别",
  });
  expect(
    await app.call(redCodeRoutes.rename, { params: { red_code: "NONE" }, body }),
  ).toMatchObject({ code: 404, msg: "没有这个站内信代码" });
});

/** Parses `1 web · 2 wap` into codes and labels. */
function labelled(text: string) {
  return text.split(" · ").map((one) => {
    const [code = "", ...words] = one.split(" ");
    return { code, label: words.join(" ") };
  });
}

function coded(text: string) {
  return labelled(text).map(({ code, label }) => ({ code: Number(code), label }));
}

/**
 * Parses `1,2,2 120 1 Cumulative …`: formula, type and name of the condition, then its value, the
 * number of draws and the label.
 */
function presets(lines: readonly string[]) {
  return lines.map((line) => {
    const [code = "", condition_value, times, ...words] = line.split(" ");
    const [one, condition_type = "0", condition_name = one] = code.split(",");
    return {
      code,
      label: words.join(" "),
      condition_name,
      condition_formula: code === one ? "0" : one,
      condition_type,
      condition_value,
      condition_times: Number(times),
    };
  });
}

const PLATFORMS = "Live games · Sports · Slots · Board games · Esports · Fishing".split(" · ");
const platforms = (codes: readonly number[]) =>
  codes.map((code, at) => ({ code, label: PLATFORMS[at] }));

test("the look-ups are those of the specification, labelled in English on request", async () => {
  const answer = await app.app.inject({
    method: "GET",
    url: lookupRoutes.all.path,
    headers: { token: app.token, "accept-language": "en" },
  });
  const { data } = answer.json<{ data: object }>();
  expect(data).toEqual({
    task_types: coded(
      "1 Cumulative valid deposit · 2 Live casino turnover reaching a target · " +
        "3 Esports turnover reaching a target · 4 Slots turnover reaching a target · " +
        "5 Board/card games turnover reaching a target · 6 Sports betting turnover reaching a target",
    ),
    platforms: platforms([1234, 2234, 3234, 5234, 6234, 7234]),
    single_platforms: platforms([1, 2, 3, 5, 6, 7]),
    channels: coded(
      "1 Manual · 2 ATM · 3 Third-party · 4 TPPPay · 5 Aggregate · 6 AA · 7 Green channel · " +
        "8 Limited-time · 9 Proxy top-up",
    ),
    clients: coded("1 web · 2 wap · 3 app"),
    rounds_status: coded("0 Paused · 1 Active"),
    award_status: coded("0 Sending · 1 Success · 2 Failed"),
    apply: coded("0 Unused · 1 Used · 2 Expired"),
    condition_name: labelled("1 Bet · 2 Deposit · 0 No limit · 3 Whitelist"),
    condition_formula: labelled("1 Cumulative · 3 Single"),
    condition_type: labelled("1 Once · 2 Repeatable"),
    presets: presets([
      "1,2,2 120 1 Cumulative valid deposit per full",
      "1,1,2 500 3 Cumulative deposit reaching",
      "3,2,2 50 1 Single deposit per full",
      "3,1,2 200 5 Single deposit reaching",
      "1,2,1 120 1 Cumulative valid bet per full",
      "1,1,1 150 3 Cumulative bet reaching",
      "3,2,1 50 1 Single bet per full",
      "3,1,1 200 5 Single bet reaching",
      "0 0 1 No limit",
      "3 0 1 Whitelist",
    ]),
    turnover: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    condition_times: [1, 2, 3, 4, 5],
    page_sizes: [10, 20, 30, 50],
    page: 1,
    size: 20,
    lookup_size: 9999,
    activity_names_size: 99,
    upload_types: ["csv", "xlsx", "xls"],
    upload_bytes: 1_048_576,
    tag: "weekend",
    red_code: "RED_PACKET",
  });
});
