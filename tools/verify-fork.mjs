#!/usr/bin/env node
/**
 * Compares two lists of checkpoints (docs/integration.md, section 11), such as a witness's and today's:
 *
 *   node tools/verify-fork.mjs A B --key BASE64
 *
 * Each file holds checkpoints or answers with them, one or one a line. Names the first block at which the lists contradict
 * each other, or a list itself, with exit code 1: the installation has signed two chains. Else says how far they agree.
 * Code 2 says that an option or a file cannot be used. Imports nothing of the product.
 */
import { createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

const HASH = /^[0-9a-f]{64}$/;
/** 64 bytes in base64. */
const SIGNATURE = /^[A-Za-z0-9+/]{86}==$/;
const USAGE = "usage: verify-fork.mjs A B --key BASE64 (32 bytes)";

/** Ends: nothing was compared. */
function unusable(why) {
  process.stderr.write(`${why}\n`);
  process.exit(2);
}

/** A file's checkpoints, at least one, each with the file's name. */
function checkpointsOf(file) {
  let values;
  try {
    const text = readFileSync(file, "utf8").trim();
    try {
      values = [JSON.parse(text)];
    } catch {
      values = text.split("\n").map((line) => JSON.parse(line));
    }
  } catch (fault) {
    unusable(`${file}: ${fault.code === undefined ? "is empty or not JSON" : "cannot be read"}`);
  }
  const all = values.flatMap((one) => one?.checkpoints ?? [one]);
  const isRead = (one) => Number.isInteger(one?.no) && HASH.test(one.prev) && HASH.test(one.hash);
  if (all.length === 0 || !all.every(isRead)) {
    unusable(`${file}: holds no checkpoints, or something else too`);
  }
  return all.map(({ no, prev, hash, signature }) => ({ file, no, prev, hash, signature }));
}

function isSigned({ no, prev, hash, signature }, key) {
  const signed = Buffer.from(`red-packet checkpoint 1\n${no}\n${prev}\n${hash}\n`);
  return SIGNATURE.test(signature) && verify(null, signed, key, Buffer.from(signature, "base64"));
}

/** The first two that cannot stand in one chain, with what is wrong between them; null when all can. */
function contradiction(sorted) {
  let earlier = null;
  let last = null;
  for (const one of sorted) {
    if (last !== null && one.no > last.no) {
      earlier = last;
    }
    if (last?.no === one.no && (last.prev !== one.prev || last.hash !== one.hash)) {
      return [last, one, "are two different blocks of one number"];
    }
    if (earlier?.no === one.no - 1 && earlier.hash !== one.prev) {
      return [earlier, one, "do not follow from each other"];
    }
    last = one;
  }
  return null;
}

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options: { key: { type: "string" } } });
  } catch (fault) {
    return unusable(`${fault.message.split(". ")[0]}; ${USAGE}`);
  }
}

const { values, positionals } = readArguments();
const raw = Buffer.from(values.key ?? "", "base64");
if (positionals.length !== 2 || raw.length !== 32) {
  unusable(USAGE);
}

function judge() {
  const x = raw.toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  const [a, b] = positionals.map((file) => checkpointsOf(file));
  const all = [...a, ...b].toSorted((one, other) => one.no - other.no);
  const foreign = all.find((one) => !isSigned(one, key));
  if (foreign !== undefined) {
    return [1, `OFFENCE block ${foreign.no} of ${foreign.file} is not signed by this key`];
  }
  const found = contradiction(all);
  if (found !== null) {
    const [one, other, why] = found;
    const told = [one, other].map(({ file, no, hash }) => `block ${no} of ${file} (${hash})`);
    return [1, `FORK at block ${other.no}: ${told.join(" and ")} ${why}, and this key signed both`];
  }
  const numbers = new Set(b.map(({ no }) => no));
  const common = a.filter(({ no }) => numbers.has(no)).length;
  const ends = [a, b].map((list, at) => `${positionals[at]} ends at block ${list.at(-1)?.no ?? 0}`);
  return [0, `no contradiction: ${common} blocks in both; ${ends.join(", ")}`];
}

const [code, told] = judge();
process.stdout.write(`${told}\n`);
process.exitCode = code;
