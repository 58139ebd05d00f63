/** Seals the records of an earlier release anew, once, after an upgrade. */
import { anchorFile, anchorRestore } from "#evidence/anchors";
import { reseal } from "#evidence/reseal";
import type { Command } from "./command.ts";

export const resealCommand: Command = {
  name: "reseal",
  summary: "seal all records anew after an upgrade from a release that sealed them otherwise",
  options: {},
  run: async (call) => {
    const db = await call.open("current");
    // The anchors so far are those of the former chain, whose end the new one follows from.
    const wasFormer = await reseal(
      db,
      () => anchorRestore(anchorFile(call.config.dataDir), 0),
      (no) => call.say(`block ${no}`),
    );
    const line = wasFormer ? "all records are sealed anew" : "nothing to do: no former seals";
    return { json: { resealed: wasFormer }, lines: [line] };
  },
};
