/** Examines an installation and says what to do about each fault. */
import type { Call, Command, Report } from "./command.ts";
import {
  checkClock,
  checkDataFolder,
  checkNode,
  checkSchema,
  checkSecretKey,
  checkVersion,
  checkWallet,
} from "./doctor-checks.ts";
import type { Finding } from "./doctor-checks.ts";
import { reasonOf } from "./command.ts";

/** What there is to say about the database; the first line is whether it can be reached. */
async function examineDatabase(call: Call): Promise<Finding[]> {
  try {
    const db = await call.open("found");
    const findings = [await checkVersion(db), await checkClock(db)];
    const schema = await checkSchema(db);
    findings.push(schema);
    // Without the schema there is no place where the key could have left a trace.
    if (schema.ok) {
      findings.push(await checkSecretKey(db, call.config));
    }
    return findings;
  } catch (fault) {
    return [
      {
        name: "database",
        ok: false,
        found: reasonOf(fault),
        advice:
          "if there should be one, check DATABASE_URL and DATA_DIR, and whether PostgreSQL runs",
      },
    ];
  }
}

async function run(call: Call): Promise<Report> {
  const findings = [
    checkNode(process.versions.node),
    await checkDataFolder(call.config.dataDir),
    ...(await examineDatabase(call)),
    await checkWallet(call.config.wallet),
  ];
  const width = Math.max(...findings.map(({ name }) => name.length));
  const isFault = findings.some(({ ok }) => !ok);
  return {
    json: { ok: !isFault, checks: findings },
    lines: findings.map(({ name, ok, found, advice }) => {
      const line = `${ok ? "ok   " : "FAULT"}  ${name.padEnd(width)}  ${found}`;
      return advice === null ? line : `${line}; ${advice}`;
    }),
    isFault,
  };
}

export const doctorCommand: Command = {
  name: "doctor",
  summary: "examine this installation; exit code 1 when something is wrong",
  options: {},
  run,
};
