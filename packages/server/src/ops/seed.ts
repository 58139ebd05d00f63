import { isDemo, seedDemo } from "#demo/seed-demo";
import type { Call, Command, Report } from "./command.ts";

/** Each day takes some seconds. */
const DAYS_MAX = 31;

function daysOf(call: Call): number {
  const given = call.value("days");
  const days = given === "" ? 1 : Number(given);
  if (!Number.isInteger(days) || days < 1 || days > DAYS_MAX) {
    throw new Error(`--days is "${given}": give a whole number of 1 … ${DAYS_MAX}`);
  }
  return days;
}

async function run(call: Call): Promise<Report> {
  const days = daysOf(call);
  if (call.config.wallet !== null) {
    throw new Error(
      "WALLET_URL names a wallet, which demonstration data may not reach: unset WALLET_*",
    );
  }
  const db = await call.open("made");
  const { businessTimeZone, redCodeDefault } = call.config;
  const settings = { timeZone: businessTimeZone, redCodeDefault };
  const isNew = !(await isDemo(db));
  if (days > 1 && !isNew) {
    throw new Error("--days makes the days before when the demonstration is begun: it is there");
  }
  await seedDemo(db, settings, new Date(), days);
  return {
    json: { demo: true, days },
    lines: [
      "the demonstration is there: pools, prizes, and rounds for today and tomorrow",
      ...(days > 1 ? [`and ${days - 1} day(s) before, with what players did on them`] : []),
      "its players come with the server's demo platform",
    ],
  };
}

export const seedCommand: Command = {
  name: "seed",
  summary: "make demonstration data in an empty database, or continue it today",
  options: {
    demo: { help: "what to make", required: true },
    days: { value: "N", help: "how many days it is to look back on, today included; 1" },
  },
  run,
};
