/** Compares the tables, figures and examples of docs/integration.md with the code. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { problem } from "@red/contract/draws/draw";
import { ERRORS, PROBLEM_CODES } from "@red/contract/platform/errors";
import { faultsOf } from "@red/contract/platform/faults";
import { depositRow, ROW_FAULTS } from "@red/contract/events/ingest";
import * as limits from "@red/contract/platform/limits";
import { CHANNEL_CODES, CLIENT_CODES, PLATFORM_CODES } from "@red/contract/platform/codes";
import { payoutWord } from "@red/contract/payouts/payout";
import type { Route } from "@red/contract/platform/route";
import { ROUTES } from "@red/contract/routes";
import { TIMESTAMP_TOLERANCE_SECONDS } from "@red/contract/identity/signing";
import { PAYOUT_SCHEDULE } from "#payouts/payout-rules";
import { ROWS } from "#platform/http/openapi";
import { COMMANDS } from "#ops/commands";
import { PAYOUT_LIMITS } from "#payouts/payout-job";
import { plannedAmounts } from "@red/wallet-check/examination";
import { WALLET_RULES } from "@red/wallet-check/findings";
import { REPOSITORY } from "#test/entry-process";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";

const TEXT = readFileSync(path.join(REPOSITORY, "docs/integration.md"), "utf8");
/** The text without line breaks. */
const FLOWING = TEXT.replaceAll(/\s+/g, " ");

/** Returns the rows that have this many cells and start with a code. */
function tableRows(heading: string, cells: number): string[][] {
  const [, after = ""] = TEXT.split(`\n${heading}\n`);
  const [section = ""] = after.split(/\n#{2,3} /);
  return section
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    )
    .filter((row) => row.length === cells);
}

function unquoted(cell: string | undefined): string {
  return (cell ?? "").replaceAll("`", "");
}

/** Returns the JSON of the fenced blocks with this label, in order. */
function examples(label: string): unknown[] {
  const blocks = TEXT.split("```json ").slice(1);
  return blocks
    .filter((block) => block.startsWith(`${label}\n`))
    .map((block) => JSON.parse(block.slice(label.length).split("\n```")[0] ?? "") as unknown);
}

function expectParsed(schema: z.ZodMiniType, example: unknown): void {
  expect(z.safeParse(schema, example).error?.issues ?? []).toEqual([]);
}

const PLATFORM_ROUTES: readonly Route[] = Object.values(ROUTES)
  .flatMap((routes): Route[] => Object.values(routes))
  .filter(({ auth }) => auth.by === "key");

/** Error keys for operators only. All other keys must be in the table. */
const OPERATORS_ONLY =
  /^(not_permitted|last_administrator|own_account|password_.+|seed_.+|key_not_.+|json_wanted|signed_out|end_after_start|player_(?:unknown|erased|held|owed)|as_of_(?:not_past|before_.+)|stale_version|stale_plan|only_valued|stale_list|wallet_not_configured|disk_full|streams_many|(approval|proof|break|reconciliation|sheet|statement|upload|import|login|setting|session|token|request_token|ticket|activity|pool|prize|weight|award|tag|red_code|condition|reissue|record|export|operator|job|exclusions?|extra_time|webhook|views?)_.+)$/;

describe("errors", () => {
  const rows = tableRows("## 5. Errors", 4);
  const listed = rows.map(([code]) => unquoted(code));

  test("exactly those of platform calls are in the table, each once", () => {
    const expected = Object.keys(ERRORS).filter((key) => !OPERATORS_ONLY.test(key));
    expect(listed.toSorted()).toEqual(expected.toSorted());
    // The table has the order of the OpenAPI description.
    expect(listed).toEqual([...PROBLEM_CODES]);
  });

  test.each(rows.map(([code, status, again, advice]) => ({ code, status, again, advice })))(
    "$code",
    ({ code, status, again, advice }) => {
      const known = new Map(Object.entries(ERRORS));
      const kind = known.get(unquoted(code));
      expect(kind?.status).toBe(Number(status));
      const isPassing = (kind?.status ?? 0) >= 500 || [408, 429].includes(kind?.status ?? 0);
      const isYes = isPassing || unquoted(code) === "nonce_seen";
      expect(isYes ? ["yes"] : ["no", "later"]).toContain(again);
      expect((advice ?? "").length).toBeGreaterThan(10);
    },
  );

  test("rejected rows: each fault is in the table", () => {
    const codes = tableRows("### `POST /open/v1/players`", 3).map(([code]) => unquoted(code));
    const issues = z.safeParse(depositRow, "no object").error?.issues ?? [];
    const noObject = faultsOf(issues).map(({ field }) => field);
    expect(codes).toEqual([...ROW_FAULTS, ...noObject, "created_at"]);
  });
});

describe("calls in", () => {
  test.each(PLATFORM_ROUTES.map((route) => ({ name: `${route.method} ${route.path}`, route })))(
    "$name",
    ({ name, route }) => {
      expect(TEXT).toContain(`\n### \`${name}\`\n`);
      const scope = route.auth.by === "key" ? route.auth.scope : "";
      expect(TEXT.split(`\n### \`${name}\`\n`)[1]?.trimStart()).toMatch(
        new RegExp(`^Scope \`${scope}\``),
      );
      const answers = examples(`${name} answer`);
      expect(answers.length).toBeGreaterThan(0);
      for (const answer of answers) {
        // Parsing drops unknown fields, so this also checks that there are none.
        expect(z.safeParse(route.data, answer)).toEqual({ success: true, data: answer });
      }
      const requests = examples(`${name} request`);
      expect(requests).toHaveLength(route.body === undefined ? 0 : 1);
      for (const request of requests) {
        expectParsed(route.body ?? z.never(), request);
        for (const [list, rows] of Object.entries(request ?? {})) {
          const schema = ROWS[list];
          for (const row of schema === undefined ? [] : (rows as unknown[])) {
            expectParsed(schema ?? z.never(), row);
          }
        }
      }
    },
  );

  test("the problem document, and the codes of fields", () => {
    const [, block = ""] = TEXT.split("`application/problem+json`:\n\n```json\n");
    expectParsed(problem, JSON.parse(block.split("\n```")[0] ?? ""));
    const codesIn = (heading: string) => {
      const section = TEXT.split(`\n### \`${heading}\`\n`)[1]?.split("\n### ")[0] ?? "";
      return (section.split("```")[0] ?? "").matchAll(/(?<=\s)(\d{1,4})\s[a-zA-Z]/g);
    };
    const deposits = [...codesIn("POST /open/v1/deposits")].map(([, code]) => Number(code));
    expect(deposits).toEqual([...CHANNEL_CODES, ...CLIENT_CODES]);
    const bets = [...codesIn("POST /open/v1/bets")].map(([, code]) => Number(code));
    expect(bets).toEqual([...PLATFORM_CODES]);
  });
});

describe("the wallet", () => {
  test("its rules are those that are checked", () => {
    const rows = tableRows("### The rules", 2).map(([rule, claim]) => [unquoted(rule), claim]);
    expect(rows).toEqual(Object.entries(WALLET_RULES));
  });

  test("its words are words", () => {
    const words = examples("wallet word");
    expect(words.map((word) => payoutWord.parse(word).status)).toEqual([
      "paid",
      "refused",
      "processing",
    ]);
    const [call] = examples("wallet call");
    expect(Object.keys(call ?? {})).toEqual([
      "trans_sn",
      "player_id",
      "user_name",
      "amount",
      "turnover",
      "red_code",
      "rounds_id",
      "created_at",
    ]);
  });
});

describe("figures and files", () => {
  const grouped = (value: number) => value.toLocaleString("en-US");
  const { askAfterMs, askEveryMs, neverSeenGapMs, checkAfterMs } = PAYOUT_SCHEDULE;
  const seconds = askAfterMs.map((ms) => ms / 1000);
  const adapter = readFileSync(
    path.join(REPOSITORY, "docs/integration/wallet-adapter.mjs"),
    "utf8",
  );
  const tensOfLines = Math.round(adapter.trimEnd().split("\n").length / 10) * 10;
  const total = (amounts: readonly string[]) =>
    (amounts.reduce((sum, one) => sum + Math.round(Number(one) * 100), 0) / 100).toFixed(2);

  test.each([
    `at most ${TIMESTAMP_TOLERANCE_SECONDS} s from the receiver's clock`,
    `texts of 1 to ${limits.EXTERNAL_ID_LENGTH_MAX} characters`,
    `At most ${grouped(limits.INGEST_ROWS_MAX)} rows and ${limits.INGEST_BYTES_MAX / 2 ** 20} MiB per call`,
    `Up to ${limits.DRAWS_PER_BATCH_MAX} draws in one call`,
    `${grouped(limits.DRAWS_IN_FLIGHT_MAX)} draws may be in flight`,
    `shown to operators (at most ${limits.REASON_LENGTH_MAX})`,
    `complete within ${PAYOUT_LIMITS.callDeadlineMs / 1000} s`,
    `at most ${PAYOUT_LIMITS.callsInFlight} calls under way`,
    `asked about ${seconds.slice(0, -1).join(", ")} and ${seconds.at(-1)} s later and every ${askEveryMs / 60_000} min`,
    `twice, at least ${neverSeenGapMs / 1000} s apart`,
    `After ${checkAfterMs / 3_600_000} h it is left to people`,
    `${total(plannedAmounts(false))} in three payouts`,
    "A millisecond has room for 16,384 deposits",
    `keeps all the rules in about ${tensOfLines} lines`,
  ])("says: %s", (sentence) => {
    expect(FLOWING).toContain(sentence);
  });

  test("names files and commands that exist, and every example", () => {
    const files = TEXT.matchAll(/docs\/integration\/[\w./-]+|\]\((integration\/[\w./-]+)\)/g);
    for (const [whole, linked] of files) {
      const file = linked === undefined ? whole : `docs/${linked}`;
      expect({ file, isThere: existsSync(path.join(REPOSITORY, file)) }).toEqual({
        file,
        isThere: true,
      });
    }
    for (const example of readdirSync(path.join(REPOSITORY, "docs/integration/examples"))) {
      expect(TEXT).toContain(`docs/integration/examples/${example}`);
    }
    for (const [, words = ""] of TEXT.matchAll(/redctl -- ([a-z -]+?)(?= --| \$| NAME|`|\n)/g)) {
      expect(COMMANDS.map(({ name }) => name)).toContain(words.trim());
    }
  });
});
