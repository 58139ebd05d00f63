/** The proofs of `npm run prove`: a new one is a line of the table below. */

export interface Proof {
  /** One line for the list. */
  readonly about: string;
  /** What is counted: `--n 2000` may also be written with this word, as `--players 2000`. */
  readonly cases: string;
  /** Default number of cases. */
  readonly n: number;
  /** The cases have names, so that `--only TEXT` (`PROVE_ONLY`) selects those that contain the text. */
  readonly named?: true;
  /**
   * A test of the suite, which runs a short form there; a program of its own; or a browser story. Paths from the root.
   * Takes its size from `PROVE_N` and its seed from `PROVE_SEED`.
   */
  readonly run:
    | { readonly project: "engine" | "server"; readonly test: string }
    | { readonly program: string }
    | { readonly story: string };
}

/** Has no cases to count. */
const ONCE = { cases: "times", n: 1 } as const;

export const PROOFS: Readonly<Record<string, Proof>> = {
  approvals: {
    about:
      "changes that wait, decided at random while connections are killed: what ran was approved by another, as planned, once",
    cases: "histories",
    n: 1_000,
    run: { project: "server", test: "packages/server/src/approvals/histories.test.ts" },
  },
  "as-of": {
    about: "what support is told as of an instant is what the system answered live at it",
    cases: "instants",
    n: 10_000,
    run: { project: "server", test: "packages/server/src/players/as-of.test.ts" },
  },
  axe: {
    about:
      "no screen or dialog has a fault that axe can see: light and dark, empty, filled, failed",
    cases: "places",
    n: 1_000,
    named: true,
    run: { story: "e2e/screens/axe.spec.ts" },
  },
  chances: {
    about:
      "chances of random players, as a calculation of its own and the running server have them",
    cases: "players",
    n: 2_000,
    run: { program: "e2e/outside/calls.ts" },
  },
  english: {
    about: "in English nothing on any screen or dialog is Chinese but what operators wrote",
    ...ONCE,
    run: { story: "e2e/screens/ordinary.spec.ts" },
  },
  erase: {
    about: "of many players one is erased: nothing names that one, and verify stays green",
    cases: "players",
    n: 10_000,
    run: { project: "server", test: "packages/server/src/evidence/erase-player.test.ts" },
  },
  examples: {
    about: "the examples of docs/integration.md draw and are refused in each language installed",
    ...ONCE,
    run: { project: "server", test: "packages/server/src/integration-examples.test.ts" },
  },
  exclusions: {
    about:
      "draws racing exclusions: none commits after the answer; files and batches of 10,000 accounts",
    cases: "races",
    n: 200,
    run: { project: "server", test: "packages/server/src/players/exclusion.test.ts" },
  },
  facts: {
    about: "each fact of the specification is to be seen in the browser",
    cases: "states",
    n: 1_000,
    named: true,
    run: { story: "e2e/screens/spec-facts.spec.ts" },
  },
  fairness: {
    about:
      "every ticket of random pools leads to its prize; a thousand draws per pool are spread as the weights say",
    cases: "pools",
    n: 10_000,
    run: { project: "engine", test: "packages/engine/src/draw-fairness.test.ts" },
  },
  faults: {
    about:
      "faults planted one by one in a copy of the tree: the test named for each fails, and passes without",
    cases: "faults",
    n: 33,
    run: { program: "tools/faults/run.ts" },
  },
  figures: {
    about: "every figure of the overview and of boards is what its list adds up to, on the screen",
    cases: "records",
    n: 1_000_000,
    run: { program: "bench/figures.ts" },
  },
  forks: {
    about:
      "a chain that goes on from an older block, as after a restore: checkpoints kept before name the fork",
    cases: "forks",
    n: 100,
    run: { project: "server", test: "packages/server/src/evidence/checkpoint-fork.test.ts" },
  },
  ingest: {
    about: "calls of 5,000 new players at once slow single draws at most threefold, and no probe",
    cases: "calls",
    n: 30,
    run: { project: "server", test: "packages/server/src/players/ingest-load.test.ts" },
  },
  jobs: {
    about:
      "a lying wallet, a kill among the answers: the job of re-issues tells the ledger's figures",
    cases: "payouts",
    n: 1_000,
    run: { project: "server", test: "packages/server/src/records/jobs.test.ts" },
  },
  kill: {
    about:
      "kill -9 of server, worker, PostgreSQL and wallet at every moment that decides: nothing lost or paid twice",
    cases: "kills",
    n: 200,
    run: { program: "e2e/outside/kill.ts" },
  },
  late: {
    about: "each write of the console is answered late: what is typed and open elsewhere stays",
    ...ONCE,
    run: { story: "e2e/stories/late-answers.spec.ts" },
  },
  layout: {
    about: "the worst data fits every screen at three widths; pictures go to .cache/screens",
    cases: "places",
    n: 1_000,
    named: true,
    run: { story: "e2e/screens/layout.spec.ts" },
  },
  limits: {
    about:
      "two processes draw for 40 players, 2,000 draws at a time, and are killed: nobody above a limit",
    cases: "kills",
    n: 20,
    run: { project: "server", test: "packages/server/src/draws/draw-limits.test.ts" },
  },
  openapi: {
    about: "calls made from the served OpenAPI: none is answered by a 5xx or off its schema",
    cases: "calls",
    n: 20_000,
    run: { project: "server", test: "packages/server/src/contract-fuzz.test.ts" },
  },
  outage: {
    about:
      "the wallet down for an hour: all that waited is paid once, and draws are as fast as before",
    cases: "payouts",
    n: 36_000,
    run: { project: "server", test: "packages/server/src/payouts/wallet-outage.test.ts" },
  },
  parts: {
    about: "parts of the console that do not come: every button leaves its page as it is",
    ...ONCE,
    run: { story: "e2e/stories/lost-parts.spec.ts" },
  },
  presets: {
    about: "each preset of a round's rule becomes a round, typed without a mouse",
    cases: "presets",
    n: 10,
    run: { story: "e2e/stories/presets.spec.ts" },
  },
  receipts: {
    about:
      "receipts of draws hold outside, in Node and PHP, are short, and name nothing of another draw",
    cases: "receipts",
    n: 10_000,
    run: { project: "server", test: "packages/server/src/evidence/receipt.test.ts" },
  },
  reissue: {
    about: "re-issue pressed by twenty sessions at once while the wallet pays and answers 500",
    cases: "presses",
    n: 200,
    run: { project: "server", test: "packages/server/src/payouts/reissue-presses.test.ts" },
  },
  restore: {
    about:
      "a restore that forgets payouts which the wallet has made: nobody paid twice or left out",
    cases: "payouts",
    n: 1_000,
    run: { project: "server", test: "packages/server/src/ops/backup.test.ts" },
  },
  resume: {
    about:
      "workers killed between sending and writing down: settled within a minute, one credit each",
    cases: "kills",
    n: 30,
    run: { project: "server", test: "packages/server/src/payouts/payout-kill.test.ts" },
  },
  "role-walk": {
    about: "each role opens all of the console that it is shown: nothing is refused or breaks",
    cases: "places",
    n: 1_000,
    named: true,
    run: { story: "e2e/screens/role-walk.spec.ts" },
  },
  tasks: {
    about: "what operators do every day takes no more clicks than it may, counted in the browser",
    ...ONCE,
    run: { story: "e2e/stories/tasks.spec.ts" },
  },
  uploads: {
    about: "large and hostile prize files are answered within time and memory",
    ...ONCE,
    run: { project: "server", test: "packages/server/src/rounds/prize-upload-load.test.ts" },
  },
  verifier: {
    about: "the offline verifier derives every draw of a round again from its evidence",
    cases: "draws",
    n: 100_000,
    run: { project: "server", test: "packages/server/src/evidence/round-proof.test.ts" },
  },
  voice: {
    about:
      "platforms read the explanations that the console shows, word for word, in both languages",
    cases: "players",
    n: 2_000,
    run: { project: "server", test: "packages/server/src/draws/player-page.test.ts" },
  },
  walks: {
    about:
      "dates, drafts, focus, selections and the documentation, all over the console, in a browser",
    ...ONCE,
    run: { story: "e2e/stories/(docs|drafts|focus|query-kit|typed-dates).spec.ts" },
  },
  wallet: {
    about:
      "the twenty ways in which a wallet goes wrong: nobody paid twice, wrongly failed or left out",
    cases: "payouts",
    n: 200,
    run: { project: "server", test: "packages/server/src/payouts/wallet-modes.test.ts" },
  },
  webhooks: {
    about:
      "the platform down for an hour, and servers killed: each message arrives, in order per payout",
    cases: "messages",
    n: 10_000,
    run: { project: "server", test: "packages/server/src/hooks/webhook-kill.test.ts" },
  },
};
