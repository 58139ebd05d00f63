/** What the game platform sends: players, deposits, bets and their reversals (platform-api). */
import * as z from "zod/mini";
import { parseRfc3339 } from "#platform/datetime";
import { externalId, freeText, name, numberCode, platformAmount, rowList } from "#platform/fields";
import { INGEST_ROWS_MAX, REASON_LENGTH_MAX } from "#platform/limits";
import { CHANNEL_CODES, CLIENT_CODES, PLATFORM_CODES } from "#platform/codes";
import { platform, route } from "#platform/route";

function instant() {
  const read = z.pipe(
    z.string({ error: "not_an_instant" }),
    z.transform((input: string, { issues }) => {
      const at = parseRfc3339(input);
      if (at === null) {
        issues.push({ code: "custom", input, message: "not_an_instant" });
      }
      return at ?? z.NEVER;
    }),
  );
  return read.register(z.globalRegistry, { format: "date-time" });
}

const userName = () => name("required", 64);

export const playerRow = z.strictObject({
  player_id: externalId(),
  user_name: userName(),
  blocked: z.optional(z.boolean({ error: "not_in_set" })),
});

export const depositRow = z.strictObject({
  order_no: externalId(),
  player_id: externalId(),
  user_name: userName(),
  amount: platformAmount(1),
  channel: numberCode(CHANNEL_CODES),
  client: numberCode(CLIENT_CODES),
  created_at: instant(),
});

export const betRow = z.strictObject({
  bet_no: externalId(),
  player_id: externalId(),
  user_name: userName(),
  valid_bet_amount: platformAmount(1),
  platform: numberCode(PLATFORM_CODES),
  created_at: instant(),
});

const reason = () => z.optional(freeText(REASON_LENGTH_MAX));

export const reversalRow = z.strictObject({
  order_no: externalId(),
  created_at: instant(),
  reason: reason(),
});
export const voidRow = z.strictObject({
  bet_no: externalId(),
  created_at: instant(),
  reason: reason(),
});

/** Error codes of a rejected row. A row with a wrong field has the name of the field instead. */
export const ROW_FAULTS = ["conflict", "player_mismatch", "not_found"] as const;

export const ingestResult = z.object({
  accepted: z.int(),
  updated: z.int(),
  duplicates: z.int(),
  rejected: z.array(z.object({ index: z.int(), code: z.string(), message: z.string() })),
});
export type IngestResult = z.output<typeof ingestResult>;

/**
 * Defines a call with a list under `key`. The server parses each row alone, so that one bad row does not
 * reject the whole list.
 */
function feed<const K extends string>(key: K, path: `/open/v1/${string}`, summary: string) {
  const rows = { [key]: rowList(INGEST_ROWS_MAX) } as Record<K, ReturnType<typeof rowList>>;
  return route({
    call: `POST ${path}`,
    summary,
    ...platform("ingest", "write"),
    body: z.strictObject(rows),
    data: ingestResult,
  });
}

const AGAIN = "the same row again is a duplicate, not an error";

export const ingestRoutes = {
  players: feed("players", "/open/v1/players", "Add or update players"),
  deposits: feed("deposits", "/open/v1/deposits", `Feed deposits; ${AGAIN}`),
  bets: feed("bets", "/open/v1/bets", `Feed bets; ${AGAIN}`),
  reversals: feed(
    "reversals",
    "/open/v1/deposits/reversals",
    "Reverse deposits: they stay visible and count no more",
  ),
  voids: feed("voids", "/open/v1/bets/voids", "Void bets: they stay visible and count no more"),
};
