/** The look-ups of the specification (§3, §4, §9), typed from it. */
import { lookupRoutes } from "@red/contract/lookup";
import { expect, test } from "vitest";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";

const a = useTestApp(useTestDb());

/** `1 web · 2 wap` as codes with their labels. */
function labelled(text: string) {
  return text.split(" · ").map((one) => {
    const [code = "", ...words] = one.split(" ");
    return { code, label: words.join(" ") };
  });
}

function coded(text: string) {
  return labelled(text).map(({ code, label }) => ({ code: Number(code), label }));
}

/** `1,2,2 120 1 Cumulative …`: formula, type and name of the condition, its value and the draws. */
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
  const answer = await a.app.inject({
    method: "GET",
    url: lookupRoutes.all.path,
    headers: { token: a.token, "accept-language": "en" },
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
