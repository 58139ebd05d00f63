/** The proofs of `npm run prove`: a new one is a line of the table below. */

export interface Proof {
  /** One line for the list. */
  readonly about: string;
  /** Default number, and what it counts; without it the proof runs once. `--players 2000` means `--n 2000`. */
  readonly cases?: readonly [n: number, of: string];
  /** Cases have names: `--only TEXT` (`PROVE_ONLY`) selects the names that contain the text. */
  readonly named?: true;
  /** Required argument after the name. */
  readonly argument?: string;
  /** The default seed comes from the commit, so all runs on one commit take the same cases. */
  readonly seed?: "commit";
  /**
   * A test of the suite, which runs a short form there; a program of its own; or a browser story. Paths from the root.
   * Takes its size from `PROVE_N` and its seed from `PROVE_SEED`.
   */
  readonly run: string;
}

export const PROOFS: Readonly<Record<string, Proof>> = {
  alerts: {
    about: "each alert fires when what it watches is broken, and none in an hour of work",
    cases: [60, "minutes"],
    run: "e2e/machines/alerts.ts",
  },
  approvals: {
    about:
      "changes that wait, decided at random while connections are killed: what ran was approved by another, as planned, once",
    cases: [1_000, "histories"],
    run: "packages/server/src/approvals/histories.test.ts",
  },
  "as-of": {
    about: "support's answer as of an instant is what the system answered live at that instant",
    cases: [10_000, "instants"],
    run: "packages/server/src/chances/as-of.test.ts",
  },
  archive: {
    about:
      "the archive of npm run pack starts without npm and without a network, and as an image; its unit is sandboxed",
    run: "e2e/machines/archive.ts",
  },
  axe: {
    about:
      "no screen or dialog has a fault that axe can see: light and dark, empty, filled, failed",
    cases: [1_000, "places"],
    named: true,
    run: "e2e/screens/axe.spec.ts",
  },
  chances: {
    about:
      "chances of random players, as a calculation of its own and the running server have them",
    cases: [2_000, "players"],
    run: "e2e/outside/calls.ts",
  },
  citus: {
    about:
      "deposits and bets spread over a cluster of Citus, built from its source: the week, chances, lists, a worker killed",
    cases: [2_000, "players"],
    argument: "SOURCE",
    run: "e2e/machines/citus.ts",
  },
  english: {
    about: "in English, the only Chinese on any screen or dialog is what operators wrote",
    run: "e2e/screens/english.spec.ts",
  },
  erase: {
    about:
      "players with hostile names are erased: nothing names them, no row of others changes, verify is green",
    cases: [40, "players"],
    run: "packages/server/src/evidence/erase-player.test.ts",
  },
  examples: {
    about: "the examples of docs/integration.md draw and are refused in each language installed",
    run: "packages/server/src/integration-examples.test.ts",
  },
  exclusions: {
    about:
      "draws racing exclusions: none commits after the answer; files and batches of 10,000 accounts",
    cases: [200, "races"],
    run: "packages/server/src/players/exclusion.test.ts",
  },
  facts: {
    about: "each fact of the specification is to be seen in the browser",
    cases: [1_000, "states"],
    named: true,
    run: "e2e/screens/spec-facts.spec.ts",
  },
  failover: {
    about:
      "ten machines killed, stopped and cut off under load: nothing answered is lost or done twice; goes on after groups that held",
    cases: [100, "blows"],
    run: "e2e/machines/failover.ts",
  },
  fairness: {
    about:
      "every ticket of random pools leads to its prize; a thousand draws per pool are spread as the weights say",
    cases: [10_000, "pools"],
    run: "packages/engine/src/draw-fairness.test.ts",
  },
  faults: {
    about:
      "faults planted one by one in a copy of the tree: the test named for each fails, and passes without",
    cases: [41, "faults"],
    run: "tools/faults/run.ts",
  },
  figures: {
    about: "every figure of the overview and of boards is what its list adds up to, on the screen",
    cases: [1_000_000, "records"],
    run: "bench/figures.ts",
  },
  forks: {
    about:
      "a chain that goes on from an older block, as after a restore: checkpoints kept before name the fork",
    cases: [100, "forks"],
    run: "packages/server/src/evidence/checkpoint-fork.test.ts",
  },
  ingest: {
    about: "calls of 5,000 new players at once slow single draws at most threefold, and no probe",
    cases: [30, "calls"],
    run: "packages/server/src/events/ingest-load.test.ts",
  },
  jobs: {
    about:
      "a lying wallet, a kill between the answers: the re-issue job reports the ledger's figures",
    cases: [1_000, "payouts"],
    run: "packages/server/src/records/jobs.test.ts",
  },
  kill: {
    about:
      "kill -9 of server, worker, PostgreSQL and wallet at every moment that decides: nothing lost or paid twice",
    cases: [200, "kills"],
    run: "e2e/outside/kill.ts",
  },
  late: {
    about: "each write of the console is answered late: open pages and typed texts stay",
    run: "e2e/stories/app/late-answers.spec.ts",
  },
  layout: {
    about: "the longest data fits every screen at three widths; pictures go to .cache/screens",
    cases: [1_000, "places"],
    named: true,
    run: "e2e/screens/layout.spec.ts",
  },
  limits: {
    about:
      "two processes draw for 40 players, 2,000 draws at a time, and are killed: nobody above a limit",
    cases: [20, "kills"],
    run: "packages/server/src/draws/draw-limits.test.ts",
  },
  mutants: {
    about:
      "a room of the server changed in one place at a time: tests notice 85 %; goes on where it was stopped",
    cases: [100, "mutants"],
    argument: "ROOM",
    seed: "commit",
    run: "tools/mutants.ts",
  },
  openapi: {
    about: "calls made from the served OpenAPI: none is answered by a 5xx or off its schema",
    cases: [20_000, "calls"],
    run: "packages/server/src/contract-fuzz.test.ts",
  },
  outage: {
    about:
      "the wallet down for an hour: all that waited is paid once, and draws are as fast as before",
    cases: [36_000, "payouts"],
    run: "packages/server/src/payouts/wallet-outage.test.ts",
  },
  parts: {
    about: "parts of the console fail to load: every button leaves its page as it is",
    run: "e2e/stories/app/lost-parts.spec.ts",
  },
  receipts: {
    about:
      "receipts of draws hold outside, in Node and PHP, are short, and name nothing of another draw",
    cases: [10_000, "receipts"],
    run: "packages/server/src/evidence/receipt.test.ts",
  },
  reissue: {
    about: "re-issue pressed by twenty sessions at once while the wallet pays and answers 500",
    cases: [200, "presses"],
    run: "packages/server/src/payouts/reissue-presses.test.ts",
  },
  restore: {
    about:
      "a restore that forgets payouts which the wallet has made: nobody paid twice or left out",
    cases: [1_000, "payouts"],
    run: "packages/server/src/ops/backup.test.ts",
  },
  rewind: {
    about:
      "PostgreSQL put back to the second before a disaster: the difference to the cent, nobody paid twice",
    run: "e2e/machines/rewind.ts",
  },
  risk: {
    about:
      "what random changes may cost is what a valuation of its own says; no order of them costs more than one may risk",
    cases: [3_000, "changes"],
    run: "packages/server/src/approvals/risk.test.ts",
  },
  "role-walk": {
    about: "each role opens everything that the console offers it: nothing is refused or breaks",
    cases: [1_000, "places"],
    named: true,
    run: "e2e/screens/role-walk.spec.ts",
  },
  upgrade: {
    about:
      "processes of the release before replaced one by one under load: no call fails, no lock is held",
    cases: [20, "upgrades"],
    run: "e2e/machines/upgrade.ts",
  },
  uploads: {
    about: "large and hostile prize files are answered within time and memory",
    run: "packages/server/src/pools/prize-upload-load.test.ts",
  },
  verifier: {
    about: "the offline verifier derives every draw of a round again from its evidence",
    cases: [100_000, "draws"],
    run: "packages/server/src/evidence/round-proof.test.ts",
  },
  voice: {
    about:
      "platforms read the explanations that the console shows, word for word, in both languages",
    cases: [2_000, "players"],
    run: "packages/server/src/draws/player-page.test.ts",
  },
  walks: {
    about:
      "dates, drafts, focus, selections, rows in view and the documentation, all over the console, in a browser",
    run: "e2e/stories/(docs|drafts|focus|query-kit|rows|typed-dates).spec.ts",
  },
  wallet: {
    about:
      "the twenty ways in which a wallet goes wrong: nobody paid twice, wrongly failed or left out",
    cases: [200, "payouts"],
    run: "packages/server/src/payouts/wallet-modes.test.ts",
  },
  webhooks: {
    about:
      "the platform down for an hour, and servers killed: each message arrives, in order per payout",
    cases: [10_000, "messages"],
    run: "packages/server/src/webhooks/webhook-kill.test.ts",
  },
};
