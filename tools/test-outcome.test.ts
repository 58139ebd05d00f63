import { describe, expect, it } from "vitest";
import {
  distrust,
  readClaims,
  readPlaywrightReport,
  readVitestReport,
  single,
} from "./test-outcome.ts";

const NOTHING = { passed: 0, failed: 0, skipped: 0, details: "" };

function vitestFile(statuses: readonly string[], file: object = {}) {
  const assertionResults = statuses.map((status, index) => ({
    fullName: `test ${index}`,
    status,
    failureMessages: status === "failed" ? [`reason ${index}`] : [],
  }));
  const status = statuses.includes("failed") ? "failed" : "passed";
  return { name: "some.test.ts", status, message: "", assertionResults, ...file };
}

describe("distrust", () => {
  it("takes a good run at its word", () => {
    const good = { ...NOTHING, passed: 3 };
    expect(distrust(good, true, "")).toEqual(good);
  });

  it("counts a runner that failed without a failing test as one failure", () => {
    const outcome = distrust({ ...NOTHING, passed: 3 }, false, "segmentation fault");
    expect(outcome).toMatchObject({ passed: 3, failed: 1 });
    expect(outcome.details).toContain("segmentation fault");
  });

  it("counts a run of no test as one failure, also when all were skipped", () => {
    expect(distrust(NOTHING, true, "")).toMatchObject({ failed: 1 });
    expect(distrust({ ...NOTHING, skipped: 9 }, true, "")).toMatchObject({ failed: 1 });
  });

  it("does not count a failure twice", () => {
    expect(distrust({ ...NOTHING, failed: 2 }, false, "")).toMatchObject({ failed: 2 });
  });
});

describe("single", () => {
  it("keeps the words of a failure only", () => {
    expect(single(true, "fine")).toEqual({ ...NOTHING, passed: 1 });
    expect(single(false, " wrong \n")).toEqual({ ...NOTHING, failed: 1, details: "wrong" });
  });
});

describe("claims", () => {
  it("are counted by their first words, and the broken ones are shown", () => {
    const outcome = readClaims(
      "starting\nok one\nnot ok two: 1 is not 2\nok three\n2 ok, 1 not ok",
    );
    expect(outcome).toMatchObject({ passed: 2, failed: 1, details: "not ok two: 1 is not 2" });
  });
});

describe("report of vitest", () => {
  it("is counted test by test, with names and reasons of failures", () => {
    const testResults = [
      vitestFile(["passed", "failed", "skipped", "todo"]),
      vitestFile(["passed"]),
    ];
    const outcome = readVitestReport(JSON.stringify({ testResults }));
    expect(outcome).toMatchObject({ passed: 2, failed: 1, skipped: 2 });
    expect(outcome.details).toBe("some.test.ts\n  test 1\nreason 1");
  });

  it("counts a file that could not be loaded as one failure", () => {
    const broken = vitestFile([], { status: "failed", message: "no such module" });
    const outcome = readVitestReport(JSON.stringify({ testResults: [broken] }));
    expect(outcome).toMatchObject({ passed: 0, failed: 1 });
    expect(outcome.details).toContain("no such module");
  });
});

describe("report of playwright", () => {
  const spec = (title: string, status: string) => ({
    title,
    tests: [{ status, results: [{ errors: [{ message: `why ${title}` }] }] }],
  });

  it("is counted through nested suites; flaky is failed", () => {
    const inner = { title: "inner", specs: [spec("a", "expected"), spec("b", "unexpected")] };
    const outer = { title: "outer", suites: [inner], specs: [spec("c", "flaky")] };
    const skipped = { title: "other", specs: [spec("d", "skipped")] };
    const outcome = readPlaywrightReport(JSON.stringify({ suites: [outer, skipped] }));
    expect(outcome).toMatchObject({ passed: 1, failed: 2, skipped: 1 });
    expect(outcome.details).toContain("outer › inner › b (unexpected)\nwhy b");
  });

  it("counts an error outside of any test", () => {
    const report = { suites: [], errors: [{ message: "no browser" }] };
    expect(readPlaywrightReport(JSON.stringify(report))).toMatchObject({
      failed: 1,
      details: "no browser",
    });
  });
});
