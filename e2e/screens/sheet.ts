/** Contact sheets: many pictures in one, each with its name. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Browser } from "@playwright/test";

export interface Picture {
  readonly name: string;
  readonly png: Buffer;
}

/** Number of columns, and the width of each picture. */
interface Grid {
  readonly columns: number;
  readonly rows: number;
  readonly width: number;
}

function pageOf(pictures: readonly Picture[], width: number): string {
  const figures = pictures.map(
    ({ name, png }) =>
      `<figure><figcaption>${name}</figcaption><img src="data:image/png;base64,${png.toString("base64")}" style="width:${width}px"></figure>`,
  );
  const style =
    "body{margin:8px;display:flex;flex-wrap:wrap;gap:8px;background:#777}figure{margin:0}figcaption{font:13px sans-serif;color:#fff}img{display:block}";
  return `<!doctype html><style>${style}</style>${figures.join("")}`;
}

/** Writes `folder/title-1.png` and so on; answers their paths. */
export async function writeSheets(
  browser: Browser,
  folder: string,
  title: string,
  pictures: readonly Picture[],
  { columns, rows, width }: Grid,
): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  const files: string[] = [];
  const viewport = { width: 16 + columns * (width + 8), height: 600 };
  const page = await browser.newPage({ viewport });
  for (let at = 0; at < pictures.length; at += columns * rows) {
    await page.setContent(pageOf(pictures.slice(at, at + columns * rows), width));
    const file = path.join(folder, `${title}-${files.length + 1}.png`);
    writeFileSync(file, await page.screenshot({ fullPage: true }));
    files.push(file);
  }
  await page.close();
  return files;
}
