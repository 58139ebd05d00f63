/** The reading thread has limits, and no file keeps it from reading the next. */
import { expect, test } from "vitest";
import { testFile } from "#test/upload";
import { rowXml, workbookParts, zipOf } from "#test/zip";
import { readTable } from "./read-table.ts";

const COLUMNS = [
  { field: "award_name", label: "奖品", required: true },
  { field: "weight", label: "权重", required: true },
];

const HEADER = rowXml(["award_name", "weight"]);

async function read(bytes: Buffer) {
  return await readTable(bytes, COLUMNS, 10_000);
}

async function expectRead(): Promise<void> {
  expect((await read(testFile("prizes.xlsx"))).rows).toHaveLength(3);
}

test("files are read one after the other, each with its own answer", async () => {
  const [one, broken, other] = await Promise.allSettled([
    read(testFile("prizes.xls")),
    read(testFile("encrypted.xls")),
    read(Buffer.from("奖品,权重\na,1\n")),
  ]);
  expect(one).toMatchObject({ status: "fulfilled", value: { sheet: "周末池" } });
  expect(broken).toMatchObject({ status: "rejected", reason: { key: "upload_encrypted" } });
  expect(other).toMatchObject({ status: "fulfilled", value: { rows: [{ row: 2 }] } });
});

test("a file that takes too long is unavailable for now, not bad", async () => {
  const file = testFile("prizes.xlsx");
  const hurried = readTable(file, COLUMNS, 10_000, 0);
  await expect(hurried).rejects.toMatchObject({ key: "unavailable" });
  await expectRead();
});

test("a file that takes too much memory is given up", async () => {
  const row = `<row>${"<c><v>1</v></c>".repeat(200)}</row>`;
  const file = await zipOf(workbookParts(HEADER + row.repeat(5_000)));
  expect(file.length).toBeLessThan(100_000);
  await expect(read(file)).rejects.toMatchObject({ key: "upload_too_complex" });
  await expectRead();
});
