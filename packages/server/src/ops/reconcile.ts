/** Compares the wallet's statement of a period with our payouts, in both directions. */
import { DAY_MS, parseDateTime } from "@red/contract/platform/datetime";
import { BREAK_KINDS } from "@red/contract/finance/reconciliation";
import { reconcile } from "#finance/reconcile";
import type { Call, Command, Report } from "./command.ts";
import { selectBreaks } from "#finance/reconciliation-sql";
import { walletStatement } from "#finance/wallet-statement";

const SHOWN = 20;
function instantOf(call: Call, option: string, otherwise: Date): Date {
  const given = call.value(option);
  if (given === "") {
    return otherwise;
  }
  const parsed = parseDateTime(given, call.config.businessTimeZone);
  if (parsed === null) {
    throw new Error(`--${option} is "${given}": give "yyyy-MM-dd HH:mm:ss" on the business clocks`);
  }
  return parsed;
}

async function run(call: Call): Promise<Report> {
  const { wallet } = call.config;
  if (wallet === null) {
    throw new Error("no wallet is configured: set WALLET_URL, WALLET_KEY and WALLET_SECRET");
  }
  const now = new Date();
  const to_at = instantOf(call, "to", now);
  const from_at = instantOf(call, "from", new Date(to_at.getTime() - DAY_MS));
  if (from_at >= to_at) {
    throw new Error("--from must lie before --to");
  }
  const db = await call.open("current");
  const span = { from_at, to_at };
  const pages = walletStatement(wallet, span, new AbortController().signal);
  const { id, breaks } = await reconcile(db, call.actor, { ...span, file_name: null, pages });
  const open = await selectBreaks(db, { open: 1 }, { page: 1, size: SHOWN });
  const lines = open.map(
    ({ kind, trans_sn, our_state }) =>
      `${kind.padEnd(Math.max(...BREAK_KINDS.map((one) => one.length)))}  ${trans_sn}  ${our_state ?? "unknown here"}`,
  );
  return {
    json: { id, breaks, from: from_at.toISOString(), to: to_at.toISOString() },
    lines: [
      ...lines,
      breaks === 0
        ? "both sides tell the same"
        : `${breaks} difference(s): settle them in the console, under reconciliation`,
    ],
    isFault: breaks > 0,
  };
}

export const reconcileCommand: Command = {
  name: "reconcile",
  summary: "compare the wallet's statement with our payouts; exit code 1 when they differ",
  options: {
    from: { value: "TIME", help: 'from when on, "yyyy-MM-dd HH:mm:ss"; a day before --to' },
    to: { value: "TIME", help: "until when; now" },
  },
  run,
};
