/** Makes demonstration data. */
import { seedDemo } from "#actions/seed-demo";
import type { Call, Command, Report } from "#cli/command";

async function run(call: Call): Promise<Report> {
  const db = await call.open("made");
  const { businessTimeZone, redCodeDefault } = call.config;
  await seedDemo(db, { timeZone: businessTimeZone, redCodeDefault }, new Date());
  return {
    json: { demo: true },
    lines: [
      "the demonstration is there: pools, prizes, and rounds for today and tomorrow",
      "its players come with the server's demo platform",
    ],
  };
}

export const seedCommand: Command = {
  name: "seed",
  summary: "make demonstration data in an empty database, or continue it today",
  options: { demo: { help: "what to make", required: true } },
  run,
};
