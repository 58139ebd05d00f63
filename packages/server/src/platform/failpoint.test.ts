import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makeFolder } from "#test/folder";
import { expect, it } from "vitest";

/** Passes two failpoints three times each in a new process; `order` is the content of the file. */
function passPlaces(order: string | null) {
  const file = path.join(makeFolder(), "order");
  if (order !== null) {
    writeFileSync(file, order);
  }
  const program = `
    import { writeSync } from "node:fs";
    const { armFailpoints, failpoint } = await import(process.argv[1]);
    armFailpoints(process.argv[2]);
    for (let pass = 1; pass <= 3; pass += 1) {
      failpoint("call_due");
      failpoint("draws_committed");
      writeSync(1, String(pass));
    }`;
  const module = new URL("./failpoint.ts", import.meta.url).href;
  const parameters = ["--import", "tsx", "--input-type=module", "-e", program, module, file];
  const { signal, stdout } = spawnSync(process.execPath, parameters, { encoding: "utf8" });
  return { signal, passed: stdout, isHit: existsSync(`${file}.hit`), isLeft: existsSync(file) };
}

it("dies as by kill -9 at the pass that the file names, and renames the file", () => {
  const died = { signal: "SIGKILL", isHit: true, isLeft: false };
  expect(passPlaces("draws_committed 1")).toEqual({ ...died, passed: "" });
  expect(passPlaces("draws_committed 3")).toEqual({ ...died, passed: "12" });
});

it("lives on while there is no file, or one that names another place or pass", () => {
  const lived = { signal: null, passed: "123", isHit: false };
  expect(passPlaces(null)).toEqual({ ...lived, isLeft: false });
  expect(passPlaces("payouts_claimed 1")).toEqual({ ...lived, isLeft: true });
  expect(passPlaces("call_due 4")).toEqual({ ...lived, isLeft: true });
});
