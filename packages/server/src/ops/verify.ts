/** Checks the invariants of the database; seals the records of an earlier release anew, once, after an upgrade. */
import { reseal } from "#evidence/reseal";
import { verify } from "#evidence/verify";
import type { Check } from "#evidence/verify";
import type { Call, Command, Report } from "./command.ts";
import type { Offence } from "#platform/snapshot";
import { anchorFile, anchorRestore, readAnchors } from "#evidence/anchors";

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
  const anchors = await readAnchors(anchorFile(call.config.dataDir));
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
  options: {},
  run,
};

const RESEALED = {
  replaced: "all records are sealed anew",
  nothing: "nothing to do: no former seals",
} as const;

export const resealCommand: Command = {
  name: "reseal",
  summary: "seal all records anew after an upgrade from a release that sealed them otherwise",
  options: {},
  run: async (call) => {
    const db = await call.open("current");
    const file = anchorFile(call.config.dataDir);
    const result = await reseal(db, {
      anchors: await readAnchors(file),
      // They are those of the former chain, whose end the new one follows from.
      onReplaced: () => anchorRestore(file, 0),
      onBlock: (no) => call.say(`block ${no}`),
    });
    if (typeof result === "string") {
      return { json: { result }, lines: [RESEALED[result]] };
    }
    const lines = [
      "FAULT  nothing was changed: the former seals do not hold",
      ...offenceLines(result),
    ];
    return { json: { result: "fault", offence: result }, lines, isFault: true };
  },
};
