import { useTestDb } from "#test/test-db";
import { expect, test } from "vitest";
import { readTopology, topologyFaults } from "./topology.ts";
import type { Topology } from "./topology.ts";

const t = useTestDb();

const as = (sync_state: string | null, bytes = 4_096, seconds = 0) => ({
  name: "db2",
  sync_state,
  bytes,
  seconds,
});

/** As under Patroni: one synchronous standby, and another standby that could replace it. */
const SAFE: Topology = {
  is_standby: false,
  synchronous_commit: "on",
  synchronous_standby_names: "db2",
  fsync: true,
  full_page_writes: true,
  standbys: [as("sync"), as("async")],
  is_archive_failing: false,
  connections: 0.9,
  skew: 0,
};

test.each<[string, Partial<Topology>, string[]]>([
  ["one synchronous standby", {}, []],
  ["a quorum", { synchronous_standby_names: "ANY 1 (*)", standbys: [as("quorum")] }, []],
  ["a commit that is replayed first", { synchronous_commit: "remote_apply" }, []],
  ["a standby", { is_standby: true, standbys: [] }, ["this is a standby"]],
  ["commits that wait for nothing", { synchronous_commit: "off" }, ["synchronous_commit is off"]],
  ["commits of one", { synchronous_commit: "local" }, ["synchronous_commit is local"]],
  ["power cuts", { fsync: false, full_page_writes: false }, ["fsync is off", "full_page_writes"]],
  ["waiting", { standbys: [] }, ["commits wait for a standby"]],
  ["one node", { standbys: [], synchronous_standby_names: "" }, ["one node"]],
  ["another than is named", { standbys: [as("async")] }, ["commits wait for a standby"]],
  [
    "asynchronous",
    { standbys: [as("async")], synchronous_standby_names: "" },
    ["no standby is synchronous"],
  ],
  ["bytes", { standbys: [as("sync", 65 << 20)] }, ["standby db2 is 68 MB and 0 s behind"]],
  ["time", { standbys: [as("sync", 0, 31)] }, ["standby db2 is 0 MB and 31 s behind"]],
  ["no archive", { is_archive_failing: true }, ["the database's log is not archived"]],
  ["a role that may not look", { standbys: [as(null), as(null)] }, ["standbys: 2, of which"]],
  ["a crowd", { connections: 0.91 }, ["91 % of the connections"]],
])("of %s it is said what is wrong", (_, changes, expected) => {
  const faults = topologyFaults({ ...SAFE, ...changes });
  expect(faults.map(({ found }, at) => found.slice(0, expected[at]?.length))).toEqual(expected);
});

test("an ordinary role reads it", async () => {
  const { connections, ...facts } = await readTopology(t.db);
  expect(facts).toMatchObject({ is_standby: false, standbys: [], is_archive_failing: false });
  expect(connections).toBeGreaterThan(0);
});
