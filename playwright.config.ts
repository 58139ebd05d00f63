import { defineConfig } from "@playwright/test";
import { findChromium } from "./tools/find-chromium.ts";

// Workers read this file again; they get the answer of the first reading.
process.env["CHROMIUM_PATH"] = await findChromium();

export default defineConfig({
  testDir: "e2e",
  // Every fact of the specification takes minutes in a browser: `npm run prove -- facts`.
  testIgnore: process.env["PROVE_N"] === undefined ? "spec-facts.spec.ts" : [],
  outputDir: "test-results",
  forbidOnly: true,
  fullyParallel: false,
  workers: 1,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: "list",
  use: {
    browserName: "chromium",
    locale: "zh-CN",
    timezoneId: "Asia/Shanghai",
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: process.env["CHROMIUM_PATH"],
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
      ],
    },
  },
});
