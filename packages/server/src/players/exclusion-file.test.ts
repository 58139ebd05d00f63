import { exclusionRoutes } from "@red/contract/players/exclusion";
import { ZONE } from "#test/activity-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { upload } from "#test/upload";
import { describe, expect, test } from "vitest";
import { readExclusions } from "./exclusion-file.ts";

const app = useTestApp(useTestDb());

describe("a file", () => {
  const send = (text: string) =>
    upload(app, exclusionRoutes.file, { bytes: text, filename: "x.csv" });

  test("is read with labels, and refused as a whole with every bad row", async () => {
    const head = "类型,账号,截止时间,原因\n";
    const good = `${head}风控,anna,2099/1/2,查\ncooling_off,ben,2099-01-03 08:00,冷静\nRisk control,carl,2099-10-13T8:05:09,查\n`;
    expect((await send(good)).data).toEqual({
      rows: [
        { user_name: "anna", kind: "risk", reason: "查", until: "2099-01-02 23:59:59" },
        { user_name: "ben", kind: "cooling_off", reason: "冷静", until: "2099-01-03 08:00:00" },
        { user_name: "carl", kind: "risk", reason: "查", until: "2099-10-13 08:05:09" },
      ],
      faults: [],
    });
    const bad =
      "风,anna,,查\n风控,ben,2020-01-01,查\n风控,carl,soon,\n风控,,,查\n冷静期,dora,,冷静\n" +
      `风控,${"e".repeat(65)},,查\n风控,finn,x2099-01-02,查\n风控,gil,2099-01-02x,查\n风控,hal,,查,more\n`;
    const unreadable = (cell: string) =>
      `截止时间「${cell}」无效，请按 2026-12-31 或 2026-12-31 18:00:00 填写`;
    expect((await send(`${head}${bad}`)).data).toEqual({
      rows: [],
      faults: [
        { row: 10, msg: "这一行比表头多出内容" },
        { row: 2, msg: "没有「风」这种类型，只能填：自我排除、冷静期、风控、内部员工" },
        { row: 3, msg: "截止时间必须晚于现在" },
        { row: 4, msg: "请填写原因" },
        { row: 4, msg: unreadable("soon") },
        { row: 5, msg: "请填写账号" },
        { row: 6, msg: "冷静期要有截止时间" },
        { row: 7, msg: "账号 最多 64 个字符" },
        { row: 8, msg: unreadable("x2099-01-02") },
        { row: 9, msg: unreadable("2099-01-02x") },
      ],
    });
    const english = { timeZone: ZONE, language: "en" } as const;
    const one = await readExclusions(Buffer.from(`${head}boss,anna,,x\n`), new Date(), english);
    expect(one.faults[0]?.msg).toMatch(
      "it is one of: Self-exclusion, Cooling-off, Risk control, Staff",
    );
    const short = "账号,类型\nanna,风控\n";
    expect((await send(short)).data).toMatchObject({ faults: [{ msg: "缺少列 原因（reason）" }] });
    const endless = { user_name: "anna", kind: "risk", reason: "查", until: null };
    expect((await send("账号,类型,原因\nanna,风控,查\n")).data).toMatchObject({ rows: [endless] });
    const list = await upload(app, exclusionRoutes.file, { bytes: good, filename: "x.txt" });
    expect(list).toMatchObject({ code: 400, key: "upload_type" });
  });
});
