/** Seals the records of an earlier release anew, once, after an upgrade. */
import { anchorFile, anchorRestore, readAnchors } from "#evidence/anchors";
import { reseal } from "#evidence/reseal";
import type { Command } from "./command.ts";
import { offenceLines } from "./verify.ts";

const DONE = {
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
      return { json: { result }, lines: [DONE[result]] };
    }
    const lines = [
      "FAULT  nothing was changed: the former seals do not hold",
      ...offenceLines(result),
    ];
    return { json: { result: "fault", offence: result }, lines, isFault: true };
  },
};
