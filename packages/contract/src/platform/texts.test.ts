import { notPermitted } from "./permissions.ts";
import { describe, expect, test } from "vitest";
import { say } from "./fields.ts";
import { faultsOf } from "./faults.ts";
import { FIELD_LABELS } from "#pools/field-labels";
import { languageOf, text, TEXTS } from "./texts.ts";

const placeholders = (sentence: string) => (sentence.match(/\{\w+\}/g) ?? []).toSorted();

describe("texts", () => {
  test("both catalogues have the same placeholders", () => {
    for (const [key, sentence] of Object.entries(TEXTS.zh)) {
      expect(placeholders(TEXTS.en[key as keyof typeof TEXTS.zh]), key).toEqual(
        placeholders(sentence),
      );
    }
  });

  test("what the specification quotes in English is the same in both", () => {
    const quoted = [
      ["enter_username", "Please enter username"],
      ["enter_password", "Please enter password"],
      ["enter_account", "please fill in the username"],
      ["enter_times_group", "please fill in the times group"],
      ["choose_expiry", "please select the date"],
      ["enter_search_account", "please enter the account"],
      ["enter_player_name", "please enter the user account"],
      ["extra_time_added", "added successfully"],
    ] as const;
    for (const [key, sentence] of quoted) {
      expect([TEXTS.zh[key], TEXTS.en[key]]).toEqual([sentence, sentence]);
    }
  });

  test("values fill only their placeholders", () => {
    expect(text("pool_in_use", "zh", { rounds: 3 })).toBe("奖池正被 3 个活动使用，不能删除");
    expect(text("not_permitted", "zh", notPermitted("key.manage").values)).toContain("平台密钥");
    expect(text("scope_missing", "en", {})).toBe("The key lacks the scope {scope}");
  });

  test("only a request that names English first gets English", () => {
    expect(languageOf("en-US,en;q=0.9")).toBe("en");
    expect(languageOf("zh-CN,en;q=0.8")).toBe("zh");
    expect(languageOf("*")).toBe("zh");
    expect(languageOf(undefined)).toBe("zh");
  });

  test("a packed message keeps its values, and a foreign message still names the field", () => {
    const issue = { path: ["weight"], message: say("out_of_range", { min: 0, max: 9 }) };
    expect(faultsOf([issue])[0]).toEqual({ field: "weight", msg: "weight 必须在 0 到 9 之间" });
    expect(faultsOf([{ path: ["x"], message: "Invalid input" }])[0]).toEqual({
      field: "x",
      msg: "x 必填",
    });
  });

  test("a field with a label is shown by it, also in a list", () => {
    const said = (path: readonly PropertyKey[], message: string) =>
      faultsOf([{ path, message }], "zh", FIELD_LABELS.zh)[0];
    expect(said(["award_price"], "not_an_amount")).toEqual({
      field: "award_price",
      msg: "奖品额度 必须是最多两位小数的金额",
    });
    expect(said(["log_ids", 2], "not_a_number")).toEqual({
      field: "log_ids.2",
      msg: "记录ID #3 必须是整数",
    });
    expect(said(["constructor"], "required").msg).toBe("constructor 必填");
    expect(said(["version"], "required").msg).toBe("version 必填");
  });

  test("unknown fields are reported one by one", () => {
    const issue = { code: "unrecognized_keys", path: [], message: "", keys: ["a", "b"] };
    expect(faultsOf([issue], "en")).toEqual([
      { field: "a", msg: "Unknown field a" },
      { field: "b", msg: "Unknown field b" },
    ]);
  });
});
