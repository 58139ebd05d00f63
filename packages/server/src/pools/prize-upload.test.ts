/** Files that the upload calls accept or reject before they read a prize. */
import { PRIZE_FILE_ROWS_MAX, UPLOAD_BYTES_MAX } from "@red/contract/platform/limits";
import { extraTimesRoutes } from "@red/contract/players/extra-times";
import { prizeRoutes } from "@red/contract/pools/prize";
import { reconciliationRoutes } from "@red/contract/finance/reconciliation";
import { sessionRoutes, TOKEN_COOKIE } from "@red/contract/identity/session";
import { describe, expect, test } from "vitest";
import { auditsOf, rowsOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { formBody, testFile, upload } from "#test/upload";

const t = useTestDb();
const a = useTestApp(t);

const DAY = { from: "2024-05-10 00:00:00", to: "2024-05-10 23:59:59" };
const CSV = "奖池,奖品,奖品额度,权重,奖品总数,是否保底\np,x,1,1,1,0\n";
const { importFile, previewImport } = prizeRoutes;

async function expectNothing(): Promise<void> {
  for (const table of ["prize", "pool", "pool_version"] as const) {
    expect(await rowsOf(t.db, table)).toEqual([]);
  }
}

const refused = (key: string, msg: string) => ({ code: 400, msg, data: null, key });
const notA = (type: string) =>
  refused("upload_not_as_named", `文件内容不是 .${type} 格式，请另存为 csv 或 xlsx 后再上传`);
const WRONG_TYPE = refused("upload_type", "上传文件只能是xlsx/xls/csv格式!");
const FOREIGN = refused(
  "upload_encoding",
  "无法识别文件的文字编码，请另存为 UTF-8 编码的 csv 或 xlsx 后再上传",
);
const LOCKED = refused("upload_encrypted", "文件有密码保护，请去掉密码后再上传");

test.each([
  ["an image", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), "prizes.xlsx", notA("xlsx")],
  ["a photo", Buffer.from("ffd8ffe000104a46494600", "hex"), "prizes.csv", WRONG_TYPE],
  ["a web page", "<html><table><tr><td>奖品</td></tr></table></html>", "prizes.xls", notA("xls")],
  ["UTF-16 that does not say so", Buffer.from(CSV, "utf16le"), "prizes.csv", FOREIGN],
  ["the same, big end first", Buffer.from(CSV, "utf16le").swap16(), "prizes.csv", FOREIGN],
  [
    "Japanese in Shift-JIS",
    Buffer.from(
      "61776172645f6e616d652c7765696768740a82a082a92c310a8341834a91dc2c320a8fdc956982cc91dc2c330a949282a291dc2c340a",
      "hex",
    ),
    "prizes.csv",
    FOREIGN,
  ],
  [
    "French in Latin-1",
    Buffer.from("award_name,weight\ncadeau doré,1\n", "latin1"),
    "p.csv",
    FOREIGN,
  ],
  ["an ods", testFile("prizes-ods.xlsx"), "prizes.xlsx", WRONG_TYPE],
  ["an encrypted xlsx", testFile("encrypted.xlsx"), "prizes.xlsx", LOCKED],
  ["an encrypted xls", testFile("encrypted.xls"), "prizes.xls", LOCKED],
  ["nothing", "", "prizes.csv", refused("upload_empty", "文件中没有数据")],
])("%s is refused", async (_what, bytes, filename, refusal) => {
  expect(await upload(a, importFile, { bytes, filename })).toEqual(refusal);
  await expectNothing();
});

describe("an upload", () => {
  const { method, path: url } = importFile;

  test("accepts a file of one byte less than 1 MB, and refuses one of 1 MB", async () => {
    // A bad row prevents the import, and a long note fills the file to the wanted size.
    const [header = ""] = CSV.split("\n");
    const start = `${header},备注\np,x,z,1,1,0,`;
    const spoilt = (size: number) => start + "n".repeat(size - Buffer.byteLength(start));
    const largest = await upload(a, importFile, { bytes: spoilt(UPLOAD_BYTES_MAX - 1) });
    expect(JSON.stringify(largest.data)).toContain('"row":2,"column":"award_price","value":"z"');
    const tooLarge = refused("upload_too_large", "上传文件大小不能超过 1MB!");
    expect(await upload(a, importFile, { bytes: spoilt(UPLOAD_BYTES_MAX) })).toEqual(tooLarge);
    expect(await upload(a, importFile, { bytes: spoilt(2 * UPLOAD_BYTES_MAX) })).toEqual(tooLarge);
    await expectNothing();
  });

  test("refuses one row more than the limit", async () => {
    const [header = ""] = CSV.split("\n");
    const rows = Array.from({ length: PRIZE_FILE_ROWS_MAX + 1 }, (_, at) => `p,x${at},1,1,1,0\n`);
    const bytes = `${header}\n${rows.join("")}`;
    const tooMany = refused("upload_too_many_rows", "文件最多 10000 行数据");
    expect(await upload(a, importFile, { bytes })).toEqual(tooMany);
    await expectNothing();
  });

  test("needs a file, known fields and a valid pool name", async () => {
    const headers = { token: a.token, "content-type": "application/json" };
    const bare = await a.app.inject({ method, url, headers, payload: "{}" });
    expect(bare.json()).toMatchObject({ code: 400, msg: "请选择要上传的文件（字段 poolFile）" });
    expect(await upload(a, importFile, { bytes: CSV, fields: { mode: "x" } })).toMatchObject({
      code: 400,
      data: { errors: [{ field: "mode", msg: "不认识的字段 mode" }] },
    });
    expect(
      await upload(a, importFile, { bytes: CSV, fields: { pool_name: "池".repeat(65) } }),
    ).toMatchObject({
      code: 400,
      data: { errors: [{ field: "pool_name", msg: "奖池 最多 64 个字符" }] },
    });
    await expectNothing();
  });

  test("accepts one file at a time", async () => {
    const form = new FormData();
    for (const name of ["one.csv", "two.csv"]) {
      form.append("poolFile", new Blob([CSV]), name);
    }
    const request = new Request("http://localhost/", { method: "POST", body: form });
    const headers = {
      token: a.token,
      "content-type": request.headers.get("content-type") ?? "",
      "accept-language": "en",
    };
    const payload = Buffer.from(await request.arrayBuffer());
    const answer = await a.app.inject({ method, url, headers, payload });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual(refused("upload_many", "Upload one file at a time"));
    await expectNothing();
  });

  test("needs the caller's token in the form or in the header", async () => {
    const without = await formBody({ bytes: CSV.replace("p,x,1", "p,x,z") });
    expect((await a.app.inject({ method, url, ...without })).json()).toMatchObject({ code: 401 });
    const headers = { ...without.headers, token: a.token };
    const known = await a.app.inject({ method, url, payload: without.payload, headers });
    expect(known.json()).toMatchObject({ code: 400 });
    await expectNothing();
  });

  test("accepts the request token of its own session in the form too", async () => {
    const cookie = `${TOKEN_COOKIE}=${a.token}`;
    const { request_token: token } = await a.read(sessionRoutes.userInfo, {});
    const body = await formBody({ bytes: CSV.replace("p,x,1", "p,x,z"), fields: { token } });
    for (const [sent, code] of [
      [{ cookie, token }, 400],
      [{ token }, 401],
      [{ cookie }, 401],
    ] as const) {
      const headers = { ...body.headers, ...sent };
      const answer = await a.app.inject({ method, url, payload: body.payload, headers });
      expect(answer.json()).toMatchObject({ code });
    }
    await expectNothing();
  });
});

test("accepts a file by its extension in any case, with matching content", async () => {
  const named = async (filename: string, bytes: string | Buffer) =>
    await upload(a, previewImport, { bytes, filename });
  expect(await named("ok.exe", CSV)).toEqual(WRONG_TYPE);
  expect(await named("csv", CSV)).toEqual(WRONG_TYPE);
  expect(await named("prizes.xlsx", CSV)).toEqual(notA("xlsx"));
  expect(await named("prizes.CSV", testFile("prizes.xlsx"))).toEqual(notA("csv"));
  const statement = { bytes: "trans_sn\n", filename: "statement.exe" };
  expect(await upload(a, reconciliationRoutes.upload, { ...statement, fields: DAY })).toEqual(
    WRONG_TYPE,
  );
  expect(await upload(a, extraTimesRoutes.accounts, statement)).toEqual(WRONG_TYPE);
  expect(await named("PRIZES.CSV", CSV)).toMatchObject({ code: 200, data: { added: 1 } });
  expect(await named("p.xlsx", testFile("prizes.xls"))).toMatchObject({ data: { added: 3 } });
});

test("accepts a file name that the database cannot store", async () => {
  const filename = `奖\u0000\u001f${"品😀".repeat(200)}.csv`;
  const answer = await upload(a, importFile, { bytes: CSV, filename });
  expect(answer).toMatchObject({ code: 200, msg: "添加成功" });
  expect(await auditsOf(t.db, ["after"], { action: "import_prizes" })).toMatchObject([
    { after: { file: expect.stringMatching(/^奖.*品😀/) } },
  ]);
});
