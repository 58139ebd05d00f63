import { useTestDb } from "#test/test-db";
import { expect, test } from "vitest";
import { readTopology, topologyFaults } from "./topology.ts";
import type { Topology } from "./topology.ts";

const t = useTestDb();

/** As under Patroni: one synchronous standby, one that would follow it. */
const SAFE: Topology = {
  is_standby: false,
  may_see: true,
  synchronous_commit: "on",
  synchronous_standby_names: "db2",
  fsync: true,
  full_page_writes: true,
  standbys: 2,
  by_state: { sync: 1, quorum: 0, potential: 0, async: 1 },
  lag_bytes: 4_096,
  lag_seconds: 0,
  is_archive_failing: false,
  clock: new Date(),
};
const quorum = { sync: 0, quorum: 2, potential: 0, async: 0 };
const none = { sync: 0, quorum: 0, potential: 0, async: 0 };

test.each<[string, Partial<Topology>, string[]]>([
  ["one synchronous standby", {}, []],
  ["a quorum", { synchronous_standby_names: "ANY 1 (*)", by_state: quorum }, []],
  ["a commit that is replayed first", { synchronous_commit: "remote_apply" }, []],
  ["a standby", { is_standby: true, standbys: 0, by_state: none }, ["this is a standby"]],
  ["commits that wait for nothing", { synchronous_commit: "off" }, ["synchronous_commit is off"]],
  ["commits of one", { synchronous_commit: "local" }, ["synchronous_commit is local"]],
  ["power cuts", { fsync: false, full_page_writes: false }, ["fsync is off", "full_page_writes"]],
  ["waiting", { standbys: 0, by_state: none }, ["commits wait for a standby"]],
  ["one node", { standbys: 0, by_state: none, synchronous_standby_names: "" }, ["one node"]],
  ["asynchronous", { standbys: 1, by_state: { ...none, async: 1 } }, ["no standby is synchronous"]],
  ["behind by bytes", { lag_bytes: 65 * 1024 * 1024 }, ["a standby is 68 MB and 0 s behind"]],
  ["behind by time", { lag_seconds: 31 }, ["a standby is 0 MB and 31 s behind"]],
  ["no archive", { is_archive_failing: true }, ["the last archiving failed"]],
  ["a role that may not look", { may_see: false, by_state: none }, ["2 standbys, of which"]],
])("of %s it is said what is wrong", (_, changes, expected) => {
  const faults = topologyFaults({ ...SAFE, ...changes });
  expect(faults.map(({ found }, at) => found.slice(0, expected[at]?.length))).toEqual(expected);
});

test("an ordinary role reads it", async () => {
  const facts = { is_standby: false, may_see: false, standbys: 0, by_state: none };
  expect(await readTopology(t.db)).toMatchObject(facts);
});
