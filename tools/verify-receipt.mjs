#!/usr/bin/env node
/**
 * Checks receipts of draws (docs/integration.md, section 11) without the system that gave them:
 *
 *   node tools/verify-receipt.mjs RECEIPT… --key BASE64 [--player ID] [--checkpoints FILE]
 *
 * Each file holds one receipt, or one a line. `--key` is the installation's public key, got once from a trusted place;
 * `--player` who must have drawn; `--checkpoints` a list kept earlier, in which each block must be unchanged. Prints what
 * is wrong with each receipt, with exit code 1; code 2 says that an option or a file cannot be used. Imports nothing of the
 * product.
 */
import { createHash, createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

/** The sealed fields, in the order of the hash. */
const FACTS = [
  ..."log_id rounds_id player draw_no prize_id award_name award_price_cents turnover".split(" "),
  ..."rule_version rule_hash pool_id pool_version pool_hash ticket fallback_ticket".split(" "),
  ..."exhausted_hash extra_time_id created_at trans_sn".split(" "),
];
const HASH = /^[0-9a-f]{64}$/;
/** 64 bytes in base64. */
const SIGNATURE = /^[A-Za-z0-9+/]{86}==$/;
const USAGE =
  "usage: verify-receipt.mjs RECEIPT… --key BASE64 (32 bytes) [--player ID] [--checkpoints FILE]";

/** Ends: nothing was checked. */
function unusable(why) {
  process.stderr.write(`${why}\n`);
  process.exit(2);
}

const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
const hex = (text) => Buffer.from(text, "hex");

function bigEndian(value, bytes) {
  const all = Buffer.alloc(8);
  all.writeBigUInt64BE(BigInt(value));
  return all.subarray(8 - bytes);
}

/** Why this cannot be read as a receipt; null when it can. */
function misshapen(receipt) {
  const { index, size, path } = receipt;
  const [facts, block] = [receipt.facts ?? {}, receipt.block ?? {}];
  const missing = FACTS.filter((name) => facts[name] === undefined);
  const strange = Object.keys(facts).filter((name) => !FACTS.includes(name));
  if (missing.length + strange.length > 0) {
    return `facts missing: [${missing.join()}], not sealed: [${strange.join()}]`;
  }
  const numbers = [facts.log_id, facts.rounds_id, index, size, block.no];
  const isCounted = numbers.every((one) => Number.isSafeInteger(one) && one >= 0);
  const isHashed = HASH.test(block.prev) && HASH.test(block.hash) && typeof path === "string";
  return isCounted && isHashed && /^([0-9a-f]{64})*$/.test(path) ? null : "no such number or hash";
}

/** Root of the block's tree (RFC 6962 §2.1.1); null when index, size and path do not fit together. */
function rootOf(leaf, { index, size, path }) {
  const beside = path.match(/.{64}/g) ?? [];
  let node = leaf;
  let [at, last] = [index, size - 1];
  if (at > last) {
    return null;
  }
  for (; last > 0; [at, last] = [Math.floor(at / 2), Math.floor(last / 2)]) {
    if (at % 2 === 0 && at === last) {
      continue; // No neighbour: it moves up as it is.
    }
    if (beside.length === 0) {
      return null;
    }
    const next = hex(beside.shift());
    node = at % 2 === 0 ? sha256(Buffer.of(1), node, next) : sha256(Buffer.of(1), next, node);
  }
  return beside.length === 0 ? node : null;
}

function blockFaults({ no, prev, hash, signature }, { key, known }) {
  const signed = Buffer.from(`red-packet checkpoint 1\n${no}\n${prev}\n${hash}\n`);
  const isSigned =
    SIGNATURE.test(signature) && verify(null, signed, key, Buffer.from(signature, "base64"));
  const kept = known?.filter((one) => one.no === no);
  const isKept = kept?.every((one) => one.prev === prev && one.hash === hash) ?? true;
  return [
    ...(isSigned ? [] : [`block ${no}: number, prev and hash are not what this key has signed`]),
    ...(kept?.length === 0 ? [`block ${no} is not in the list of checkpoints`] : []),
    ...(isKept ? [] : [`block ${no} is another one in the list of checkpoints`]),
  ];
}

function playerFaults({ facts, salt }, player) {
  if (player === undefined) {
    return [];
  }
  if (!HASH.test(salt)) {
    return ["player: cannot be checked without salt"];
  }
  const isRight = sha256(hex(salt), Buffer.from(player)).toString("hex") === facts.player;
  return isRight ? [] : [`player: salt and ${player} do not lead to the sealed player`];
}

function faultsOf(receipt, options) {
  const shape = misshapen(receipt);
  if (shape !== null) {
    return [`no receipt: ${shape}`];
  }
  const { facts, block } = receipt;
  const record = sha256(Buffer.from(JSON.stringify(FACTS.map((name) => facts[name]))));
  const ids = [bigEndian(facts.log_id, 8), bigEndian(facts.rounds_id, 4)];
  const root = rootOf(sha256(Buffer.of(0), ...ids, record), receipt);
  const faults = [...blockFaults(block, options), ...playerFaults(receipt, options.player)];
  if (root === null) {
    return ["path: does not fit index and size", ...faults];
  }
  const hash = sha256(hex(block.prev), bigEndian(block.no, 8), root).toString("hex");
  return hash === block.hash
    ? faults
    : [`facts or path: do not lead to the hash of block ${block.no}`, ...faults];
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A file's values, at least one: one, or one a line. What is no JSON is null. */
function valuesOf(file) {
  let text;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch {
    unusable(`${file}: cannot be read`);
  }
  if (text === "") {
    unusable(`${file}: is empty`);
  }
  const whole = parsed(text);
  return whole === null ? text.split(/\s*\n/).map(parsed) : [whole];
}

function checkpointsOf(file) {
  const all = valuesOf(file).flatMap((one) => one?.checkpoints ?? [one]);
  const isRead = all.every((one) => HASH.test(one?.prev) && HASH.test(one.hash));
  return isRead ? all : unusable(`${file}: holds something else than checkpoints`);
}

function readArguments() {
  const text = { type: "string" };
  const options = { key: text, player: text, checkpoints: text };
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (fault) {
    return unusable(`${fault.message.split(". ")[0]}; ${USAGE}`);
  }
}

const { values, positionals } = readArguments();
const raw = Buffer.from(values.key ?? "", "base64");
if (positionals.length === 0 || raw.length !== 32) {
  unusable(USAGE);
}
const x = raw.toString("base64url");
const options = {
  key: createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" }),
  player: values.player,
  known: values.checkpoints === undefined ? null : checkpointsOf(values.checkpoints),
};
let [count, held] = [0, 0];
for (const [file, receipts] of positionals.map((one) => [one, valuesOf(one)])) {
  for (const [at, receipt] of receipts.entries()) {
    const faults = faultsOf(receipt ?? {}, options);
    count += 1;
    held += faults.length === 0 ? 1 : 0;
    for (const fault of faults) {
      process.stdout.write(
        `OFFENCE ${file}:${at + 1}, record ${receipt?.facts?.log_id ?? "?"}: ${fault}\n`,
      );
    }
  }
}
process.stdout.write(`${held} of ${count} receipts hold\n`);
process.exitCode = held === count ? 0 : 1;
