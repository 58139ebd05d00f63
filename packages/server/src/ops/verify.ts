import { verify } from "#evidence/verify";
import type { Check } from "#evidence/verify";
import type { Call, Command, Report } from "./command.ts";
import type { Offence } from "#platform/db/snapshot";
import { anchorFile, readAnchors } from "#evidence/anchors";

function shown(values: Readonly<Record<string, unknown>> | null, none: string): string {
  if (values === null) {
    return none;
  }
  const pairs = Object.entries(values).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return pairs.length === 0 ? "the row" : pairs.join(" ");
}

function offenceLines({ table, ids, expected, found }: Offence): string[] {
  return [
    `       ${table} ${shown(ids, "")}`,
    `       expected: ${shown(expected, "no such row")}`,
    `       found:    ${shown(found, "no such row")}`,
  ];
}

function checkLines({ name, checked, unchecked, offence }: Check): string[] {
  const state = offence === null ? "ok   " : "FAULT";
  const but =
    unchecked.length === 0 ? "" : `; not checked, detached: rounds ${unchecked.join(", ")}`;
  const line = `${state}  ${name}, ${checked} rows${but}`;
  return offence === null ? [line] : [line, ...offenceLines(offence)];
}

async function run(call: Call): Promise<Report> {
  const db = await call.open("current");
  const { dataDir } = call.config;
  const anchors = {
    draw_record: await readAnchors(anchorFile(dataDir)),
    audit_log: await readAnchors(anchorFile(dataDir, "audit_log")),
  };
  const onCheck = (check: Check) => {
    for (const line of checkLines(check)) {
      call.say(line);
    }
  };
  const verification = await verify(db, onCheck, anchors);
  const faults = verification.checks.filter((check) => check.offence !== null).length;
  return {
    json: verification,
    lines: [faults === 0 ? "everything holds" : `${faults} of the checks found a fault`],
    isFault: !verification.ok,
  };
}

export const verifyCommand: Command = {
  name: "verify",
  summary: "check what must hold of stock, draws, chances and payouts; exit code 1 on a fault",
  run,
};
