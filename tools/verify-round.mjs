#!/usr/bin/env node
/**
 * Checks the evidence of a round (docs/security.md, "Sealed records") without the system that wrote it:
 *
 *   node tools/verify-round.mjs FILE [--anchors FILE]
 *
 * The chain is whole, each sealed record exists and says what was sealed, its rule and pool version match their hashes,
 * and its prize follows from ticket, pool version and exhausted prizes. Prints what was checked, or the first violation
 * in chain order with exit code 1. Imports nothing of the product; integers are BigInt throughout.
 */
import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** A record is sealed before any that is so much later: an hour, in record ids. */
const LATE_IDS = 3_600_000 * 16_384;
const FACTS = [
  ..."log_id rounds_id player draw_no prize_id award_name award_price_cents turnover".split(" "),
  ..."rule_version rule_hash pool_id pool_version pool_hash ticket fallback_ticket".split(" "),
  ..."exhausted_hash extra_time_id created_at trans_sn".split(" "),
];

class Offence extends Error {}

function offend(where, what) {
  throw new Offence(`${where}: ${what}`);
}

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

function bigEndian(value, length) {
  return Buffer.from(
    BigInt(value)
      .toString(16)
      .padStart(length * 2, "0"),
    "hex",
  );
}

/** Root of the tree over a block's records (RFC 6962 §2.1): id, round and hash of each. */
function rootOf({ log_ids, rounds_ids, hashes }) {
  let level = log_ids.map((id, index) =>
    sha256(
      Buffer.concat([
        Buffer.of(0),
        bigEndian(id, 8),
        bigEndian(rounds_ids[index], 4),
        Buffer.from(hashes.slice(index * 64, index * 64 + 64), "hex"),
      ]),
    ),
  );
  while (level.length > 1) {
    level = level.flatMap((left, index) => {
      const right = level[index + 1];
      const pair = Buffer.from(`01${left}${right}`, "hex");
      return index % 2 === 1 ? [] : [right === undefined ? left : sha256(pair)];
    });
  }
  return level[0];
}

/** The prize that owns a ticket: the weights side by side, in id order. */
function spanOf(prizes, ticket) {
  let edge = 0n;
  for (const prize of prizes) {
    edge += BigInt(prize.weight);
    if (BigInt(ticket) < edge) {
      return prize;
    }
  }
  return null;
}

const total = (prizes) => prizes.reduce((sum, prize) => sum + BigInt(prize.weight), 0n);

/** The guaranteed prize that is given: in stock, heaviest, then lowest id. */
function guaranteed(prizes) {
  let best = null;
  for (const prize of prizes.filter((one) => one.floors)) {
    if (best === null || BigInt(prize.weight) > BigInt(best.weight)) {
      best = prize;
    }
  }
  return best;
}

/** The prize of a record by the rules of the draw, or a text that says why no prize follows. */
function deriveAgain(pool, record) {
  const { ticket, fallback_ticket, exhausted } = record;
  const prizes = pool.toSorted((a, b) => a.id - b.id);
  const sum = total(prizes);
  if (ticket < 0 || BigInt(ticket) >= (sum > 0n ? sum : 1n)) {
    return "the ticket is beyond the weights";
  }
  if (exhausted.some((id) => !prizes.some((prize) => prize.id === id))) {
    return "an exhausted prize is not in the pool";
  }
  const left = prizes.filter((prize) => !exhausted.includes(prize.id));
  const named = spanOf(prizes, ticket);
  const first = named !== null && left.includes(named) ? named : guaranteed(left);
  if (first !== null) {
    return fallback_ticket === null ? first : "a fallback ticket that was not needed";
  }
  if (fallback_ticket === null || fallback_ticket < 0 || BigInt(fallback_ticket) >= total(left)) {
    return "no fallback ticket that fits";
  }
  return spanOf(left, fallback_ticket);
}

/** State kept between the lines of the file. */
function beginning(anchors) {
  return {
    anchors,
    round: null,
    /** The block before the next line's; null before the first. */
    last: null,
    /** The lowest record id of the last block, when the file has its entries, and the round's highest. */
    lowest: 0,
    highest: 0,
    /** The number of the chain's last block. */
    chainEnd: 0,
    /** The open block: its number, and the hashes of this round's entries still to come. */
    block: null,
    ended: false,
    texts: new Map(),
    /** Commitment and number of each draw. */
    draws: new Set(),
    counts: { records: 0, unsealed: 0, blocks: 0, anchored: 0 },
  };
}

function closeBlock(exam) {
  const { block } = exam;
  if (block !== null && block.wanted.size > 0) {
    offend(`record ${block.wanted.keys().next().value}`, `sealed in block ${block.no} and gone`);
  }
  exam.block = null;
}

/** Checks the next block by its own numbers and its anchor. */
function chain(exam, link, root) {
  closeBlock(exam);
  const { last, counts } = exam;
  if (last !== null && link.no !== last.no + 1) {
    offend(`block ${last.no + 1}`, "missing");
  }
  if (link.prev !== (link.no === 1 ? exam.round.chain_start : (last?.hash ?? link.prev))) {
    offend(`block ${link.no}`, "does not follow from the block before it");
  }
  const bytes = [Buffer.from(link.prev, "hex"), bigEndian(link.no, 8), Buffer.from(root, "hex")];
  if (sha256(Buffer.concat(bytes)) !== link.hash) {
    offend(`block ${link.no}`, "its hash is not that of its entries");
  }
  exam.last = { no: link.no, hash: link.hash };
  exam.lowest = 0;
  counts.blocks += 1;
  const known = exam.anchors.get(link.no);
  if (known !== undefined && known !== link.hash) {
    offend(`block ${link.no}`, "is not the one that was anchored");
  }
  counts.anchored += known === undefined ? 0 : 1;
}

function checkSealed(exam, record) {
  const where = `record ${record.log_id}`;
  const { block } = exam;
  if (block === null || record.seal !== block.no || !block.wanted.has(record.log_id)) {
    offend(where, "is not an entry of the block that it names");
  }
  const facts = JSON.stringify(FACTS.map((name) => record[name]));
  const isListed = sha256(JSON.stringify(record.exhausted)) === record.exhausted_hash;
  if (!isListed || sha256(facts) !== block.wanted.get(record.log_id)) {
    offend(where, "no longer says what was sealed");
  }
  block.wanted.delete(record.log_id);
}

function checkVersion(exam, where, { kind, id, version, hash }) {
  const kept = exam.texts.get(`${kind} ${id} ${version}`);
  if (kept === undefined || kept.hash !== hash) {
    offend(where, `version ${version} of its ${kind} is not the one that was in force`);
  }
  return kept.value;
}

function checkDraw(exam, record) {
  const where = `record ${record.log_id}`;
  const { rounds_id, rule_version, rule_hash, pool_id, pool_version, pool_hash } = record;
  const rule = { kind: "rule", id: rounds_id, version: rule_version, hash: rule_hash };
  checkVersion(exam, where, rule);
  const pool = { kind: "pool", id: pool_id, version: pool_version, hash: pool_hash };
  const prize = deriveAgain(checkVersion(exam, where, pool), record);
  if (typeof prize === "string") {
    offend(where, prize);
  }
  if (prize.id !== record.prize_id) {
    offend(where, `its ticket leads to prize ${prize.id}, not ${record.prize_id}`);
  }
  const isNamed = prize.award_name === record.award_name;
  if (!isNamed || prize.award_price_cents !== record.award_price_cents) {
    offend(where, "name or price is not the prize's");
  }
}

function keepText(exam, { kind, id, version, text }) {
  exam.texts.set(`${kind} ${id} ${version}`, { hash: sha256(text), value: JSON.parse(text) });
}

/** The reader for each kind of line. */
const READERS = {
  round(exam, line) {
    exam.round = line;
  },
  rule: keepText,
  pool: keepText,
  link(exam, line) {
    chain(exam, line, line.root);
  },
  seal(exam, line) {
    chain(exam, line, rootOf(line));
    const mine = line.log_ids.flatMap((id, index) =>
      line.rounds_ids[index] === exam.round.rounds_id
        ? [[id, line.hashes.slice(index * 64, index * 64 + 64)]]
        : [],
    );
    exam.block = { no: line.no, wanted: new Map(mine) };
    exam.lowest = Math.min(...line.log_ids);
  },
  record(exam, line) {
    if (line.rounds_id !== exam.round.rounds_id) {
      offend(`record ${line.log_id}`, "is of another round");
    }
    if (line.seal === null) {
      closeBlock(exam);
      exam.counts.unsealed += 1;
    } else {
      checkSealed(exam, line);
    }
    checkDraw(exam, line);
    const draw = `${line.player} ${line.draw_no}`;
    if (line.player !== null && exam.draws.has(draw)) {
      offend(`record ${line.log_id}`, `is a second draw ${line.draw_no} of one player`);
    }
    exam.draws.add(draw);
    exam.highest = Math.max(exam.highest, line.log_id);
    exam.counts.records += 1;
  },
  end(exam, line) {
    closeBlock(exam);
    exam.ended = true;
    exam.chainEnd = line.chain_end;
    const { records } = exam.counts;
    if (line.records !== records || exam.round.records !== records) {
      offend("the file", `holds ${records} records and says ${line.records}`);
    }
  },
};

function read(exam, text) {
  const line = JSON.parse(text);
  if (exam.round === null && (line.kind !== "round" || line.format !== 3)) {
    offend("the file", "does not begin as evidence of a round");
  }
  if (exam.ended || !Object.hasOwn(READERS, line.kind)) {
    offend("the file", "holds a line that does not belong there");
  }
  READERS[line.kind](exam, line);
}

function finish(exam) {
  if (!exam.ended) {
    offend("the file", "ends too early");
  }
  const lastAnchor = Math.max(0, ...exam.anchors.keys());
  if (lastAnchor > exam.chainEnd) {
    offend(`block ${exam.chainEnd + 1}`, `missing: the chain once reached block ${lastAnchor}`);
  }
  const { last, lowest, highest, chainEnd } = exam;
  if (last !== null && last.no < chainEnd && lowest <= highest + LATE_IDS) {
    offend("the file", "ends before the last block that can hold a record of the round");
  }
}

function readAnchorFile(file) {
  const lines = file === undefined ? [] : readFileSync(file, "utf8").split("\n").slice(0, -1);
  const anchors = new Map();
  for (const { no, hash, restored_to } of lines.map((line) => JSON.parse(line))) {
    if (restored_to === undefined) {
      anchors.set(no, hash);
    } else {
      // A backup was restored: anchors after its end do not belong to this chain.
      for (const later of [...anchors.keys()].filter((key) => key > restored_to)) {
        anchors.delete(later);
      }
    }
  }
  return anchors;
}

async function main([file, option, anchorFile]) {
  if (file === undefined || (option !== undefined && option !== "--anchors")) {
    process.stderr.write("usage: node tools/verify-round.mjs FILE [--anchors FILE]\n");
    return 2;
  }
  const exam = beginning(readAnchorFile(anchorFile));
  let number = 0;
  try {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      number += 1;
      read(exam, line);
    }
    finish(exam);
    const { records, unsealed, blocks, anchored } = exam.counts;
    process.stdout.write(
      `round ${exam.round.rounds_id}: ${records} of ${records} draws derived again, ` +
        `${unsealed} not sealed yet, ${blocks} blocks follow from each other, ${anchored} anchored\n`,
    );
    return 0;
  } catch (fault) {
    const told = fault instanceof Offence ? fault.message : `line ${number} cannot be read`;
    process.stdout.write(`OFFENCE ${told}\n`);
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
