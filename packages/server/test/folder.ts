/** Folders for tests. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** Makes a folder and removes it after the test, or after all tests of a file or block. */
export function makeFolder(whenDone: (end: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(path.join(tmpdir(), "red-test-"));
  whenDone(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
