/** Evidence for platforms: the receipt of one draw, and the signed blocks of the chain (platform-api; behaviour §5). */
import * as z from "zod/mini";
import { externalId, wholeNumber } from "#platform/fields";
import { CHECKPOINTS_DEFAULT, CHECKPOINTS_MAX } from "#platform/limits";
import { platform, route } from "#platform/route";

const hash = () => z.string().register(z.globalRegistry, { pattern: "^[0-9a-f]{64}$" });
const base64 = () =>
  z.string().register(z.globalRegistry, { pattern: String.raw`^[A-Za-z0-9+/]+={0,2}$` });

/** A block of the chain. `signature` is the installation's Ed25519 signature of its `checkpointText`. */
const checkpoint = z.object({
  no: z.int(),
  prev: hash(),
  hash: hash(),
  signature: base64(),
});

/** Returns the text of a block that the installation signs; `prev` and `hash` are hex. */
export function checkpointText(no: number, prev: string, blockHash: string): string {
  return `red-packet checkpoint 1\n${no}\n${prev}\n${blockHash}\n`;
}

/** The fields are in the order in which the server hashes them (docs/security.md). */
const facts = z.object({
  log_id: z.int(),
  rounds_id: z.int(),
  player: z.nullable(hash()),
  draw_no: z.int(),
  prize_id: z.int(),
  award_name: z.string(),
  award_price_cents: z.int(),
  turnover: z.int(),
  rule_version: z.int(),
  rule_hash: z.nullable(hash()),
  pool_id: z.int(),
  pool_version: z.int(),
  pool_hash: z.nullable(hash()),
  ticket: z.int(),
  fallback_ticket: z.nullable(z.int()),
  exhausted_hash: hash(),
  extra_time_id: z.nullable(z.int()),
  created_at: z.string().register(z.globalRegistry, { format: "date-time" }),
  trans_sn: z.nullable(z.string()),
});

export const receiptRoutes = {
  receipt: route({
    call: "GET /open/v1/draws/{request_id}/receipt",
    summary: "Evidence of one draw that anybody can check, and that names nobody else",
    ...platform("read", "read"),
    params: z.object({ request_id: externalId() }),
    data: z.object({
      facts,
      /** The salt that leads from the `player_id` to `facts.player`; null after the erasure of the player. */
      salt: z.nullable(hash()),
      /** Position of the record in its block, starting at 0. */
      index: z.int(),
      /** Number of records in the block. */
      size: z.int(),
      /** The audit path: sibling hashes from the leaf to the root (RFC 6962 §2.1.1), joined without separator. */
      path: z.string().register(z.globalRegistry, { pattern: "^([0-9a-f]{64})*$" }),
      block: checkpoint,
    }),
  }),
  checkpoints: route({
    call: "GET /open/v1/checkpoints",
    summary: "The blocks of the chain in order, each signed",
    ...platform("read", "read"),
    query: z.object({
      /** Returns only blocks with a number above this value. */
      after: z._default(wholeNumber(0, Number.MAX_SAFE_INTEGER), 0),
      limit: z._default(wholeNumber(1, CHECKPOINTS_MAX), CHECKPOINTS_DEFAULT),
    }),
    data: z.object({
      /** The Ed25519 public key, 32 bytes. */
      public_key: base64(),
      checkpoints: z.array(checkpoint),
      /** The value of `after` for the next page; null on the last page. */
      next: z.nullable(z.int()),
    }),
  }),
};
