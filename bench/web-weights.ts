/** Bytes on the wire when a browser opens a page for the first time. */
import type { Browser, BrowserContextOptions } from "@playwright/test";

export interface Weight {
  /** Bytes received, with headers, until the page has rested for REST_MS. */
  readonly bytes: number;
  readonly requests: number;
  /** Scripts and styles requested after that. */
  readonly prefetched: readonly string[];
  /** Largest contentful paint, in ms from the start of the navigation. */
  readonly lcpMs: number;
}

/** A page at rest for this time requests only what it polls. */
const REST_MS = 3_000;

/** A heading or rows are shown, and no placeholder. */
const READY = `document.querySelector("h1, tbody tr.ant-table-row") !== null &&
  document.querySelector(".k-skeleton, .k-bar-on, .ant-spin-spinning") === null`;

const READY_MS = 60_000;

const LCP = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
    .observe({ type: "largest-contentful-paint", buffered: true });
})`;

/** Opens `url` with an empty cache and the cookies of `options`. */
export async function weigh(
  browser: Browser,
  options: BrowserContextOptions,
  url: string,
): Promise<Weight> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const wire = await context.newCDPSession(page);
  await wire.send("Network.enable");
  let bytes = 0;
  let requests = 0;
  let atRest = false;
  const prefetched: string[] = [];
  wire.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests += 1;
  });
  wire.on("Network.requestWillBeSent", ({ type, request }) => {
    if (atRest && (type === "Script" || type === "Stylesheet" || type === "Prefetch")) {
      prefetched.push(request.url);
    }
  });
  await page.goto(url, { waitUntil: "networkidle" });
  // On a busy machine the page may still compute while nothing is transferred.
  const late = Date.now() + READY_MS;
  while (!(await page.evaluate(READY))) {
    if (Date.now() > late) {
      throw new Error(`${url} did not come to rest`);
    }
    await page.waitForTimeout(100);
  }
  await page.waitForLoadState("networkidle");
  atRest = true;
  const lcpMs = Number(await page.evaluate(LCP));
  await page.waitForTimeout(REST_MS);
  await context.close();
  return { bytes, requests, prefetched, lcpMs };
}
