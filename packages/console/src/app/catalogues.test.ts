import { FIELD_LABELS } from "@red/contract/field-labels";
import { LOOKUP_TEXTS } from "@red/contract/lookup-texts";
import i18next from "i18next";
import { describe, expect, it } from "vitest";
import { ACCOUNT_TEXTS } from "#dialogs/account-texts.ts";
import { DRAW_INFO_TEXTS } from "#dialogs/draw-info-texts.ts";
import { ACTIVITY_TEXTS } from "#features/activity/activity-texts.ts";
import { EVENT_TEXTS } from "#dialogs/event-texts.ts";
import { EXTRA_TIMES_TEXTS } from "#dialogs/extra-times-texts.ts";
import { LOGIN_TEXTS } from "#features/login/login-texts.ts";
import { PLAYER_TEXTS } from "#features/player/player-texts.ts";
import { PLAYER_VIEW_TEXTS } from "#features/player-view/player-view-texts.ts";
import { PRIZE_TEXTS } from "#features/prize/prize-texts.ts";
import { RECORD_TEXTS } from "#dialogs/record-texts.ts";
import { STOP_TEXTS } from "#dialogs/stop-texts.ts";
import { QUERY_TEXTS } from "#features/query/query-texts.ts";
import { TAG_TEXTS } from "#features/tag/tag-texts.ts";
import { addTexts, chooseLanguage, tr } from "#lib/language.ts";
import type { Catalogue } from "#lib/language.ts";
import { LIB_TEXTS } from "#lib/lib-texts.ts";
import { UI_TEXTS } from "#ui/ui-texts.ts";
import { APP_TEXTS } from "./app-texts.ts";

const CATALOGUES: Record<string, Catalogue<Readonly<Record<string, string>>>> = {
  account: ACCOUNT_TEXTS,
  activity: ACTIVITY_TEXTS,
  app: APP_TEXTS,
  draw_info: DRAW_INFO_TEXTS,
  event: EVENT_TEXTS,
  extra_times: EXTRA_TIMES_TEXTS,
  lib: LIB_TEXTS,
  login: LOGIN_TEXTS,
  lookups: LOOKUP_TEXTS,
  player: PLAYER_TEXTS,
  player_view: PLAYER_VIEW_TEXTS,
  prize: PRIZE_TEXTS,
  query: QUERY_TEXTS,
  record: RECORD_TEXTS,
  stop: STOP_TEXTS,
  tag: TAG_TEXTS,
  ui: UI_TEXTS,
};

function placeholders(text: string | undefined): string[] {
  return [...(text ?? "").matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).toSorted();
}

describe.each(Object.entries(CATALOGUES))("the texts of %s", (_, { zh, en }) => {
  it("are the same keys in both languages, none of them empty", () => {
    expect(Object.keys(en)).toEqual(Object.keys(zh));
    expect([...Object.values(zh), ...Object.values(en)].filter((text) => text === "")).toEqual([]);
  });

  it("take the same values in both languages", () => {
    const differing = Object.keys(zh).filter(
      (key) => placeholders(zh[key]).join() !== placeholders(en[key]).join(),
    );
    expect(differing).toEqual([]);
  });

  it("hold no Chinese in English", () => {
    const foreign = Object.values(en).filter((text) => /\p{Script=Han}/u.test(text));
    // Each language names the other one in that one's own words.
    expect(foreign.filter((text) => text !== "中文")).toEqual([]);
  });
});

it("say literally what the specification quotes, in the default language", () => {
  const quoted = [
    LOGIN_TEXTS.zh.heading,
    APP_TEXTS.zh.not_found_text,
    APP_TEXTS.zh.back_home,
    APP_TEXTS.zh.fullscreen_unsupported,
    APP_TEXTS.zh.relogin_text,
    APP_TEXTS.zh.relogin_ok,
    ACTIVITY_TEXTS.zh.remove_confirm,
    PRIZE_TEXTS.zh.remove_confirm,
    PRIZE_TEXTS.zh.need_pool,
    PRIZE_TEXTS.zh.need_pool_tab,
    PRIZE_TEXTS.zh.import_type,
    PRIZE_TEXTS.zh.import_size,
    RECORD_TEXTS.zh.reissue_confirm,
    QUERY_TEXTS.zh.need_user_name,
    QUERY_TEXTS.zh.need_date,
    QUERY_TEXTS.zh.need_rounds_name,
    QUERY_TEXTS.zh.need_start_date,
  ];
  expect(quoted).toEqual([
    "red packet management back-end",
    "The webmaster said that you can not enter this page...",
    "Back to home",
    "you browser can not work",
    "you have been logged out, you can cancel to stay on this page, or log in again",
    "Re-Login",
    "确定删除?",
    "confirm delete?",
    "请先添加奖池",
    "请在奖池选项中操作",
    "上传文件只能是xlsx/xls/csv格式!",
    "上传文件大小不能超过 1MB!",
    "confirm reissue?",
    "please fill in the username",
    "please select the date",
    "please select the activity name",
    "please select the activity date",
  ]);
});

it("do not compile without a text or without its values", () => {
  // @ts-expect-error -- a key that no catalogue has
  expect(tr("lib:no_such_text")).toBe("no_such_text");
  // @ts-expect-error -- the text needs a status
  expect(tr("lib:no_envelope")).toContain("{status}");
  // @ts-expect-error -- English lacks a key of the Chinese catalogue
  const incomplete: typeof LIB_TEXTS.en = { network_failed: "" };
  expect(Object.keys(incomplete)).toHaveLength(1);
});

it("follow the chosen language, and mark the document with it", async () => {
  addTexts("app", APP_TEXTS);
  await chooseLanguage("en");
  expect([i18next.t("app:log_out"), document.documentElement.lang]).toEqual(["Log out", "en"]);
  await chooseLanguage("zh");
  expect([i18next.t("app:log_out"), document.documentElement.lang]).toEqual(["退出登录", "zh-CN"]);
});

it.each(["zh", "en"] as const)("call a form's fields in %s as a refusal does", (language) => {
  const activity = [
    "rounds_name",
    "tag",
    "red_code",
    "pool_name",
    "condition_name",
    "condition_formula",
    "condition_value",
    "condition_times",
    "condition_type",
    "turnover",
    "achieve_start_time",
    "achieve_end_time",
  ] as const;
  const prize = ["award_name", "weight", "award_total", "award_price", "floors"] as const;
  const said = {
    ...Object.fromEntries(activity.map((field) => [field, ACTIVITY_TEXTS[language][field]])),
    ...Object.fromEntries(prize.map((field) => [field, PRIZE_TEXTS[language][field]])),
    add: PRIZE_TEXTS[language].stock_add,
    user_name: EXTRA_TIMES_TEXTS[language].user_name,
    expire_time: EXTRA_TIMES_TEXTS[language].expire_time,
    username: LOGIN_TEXTS[language].username,
    password: LOGIN_TEXTS[language].password,
  };
  expect(FIELD_LABELS[language]).toMatchObject(said);
});
