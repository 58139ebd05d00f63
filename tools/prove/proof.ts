/** What `npm run prove` has to know of a proof. */

/** A test of the suite, which runs there in its short form. */
export interface TestFile {
  readonly project: string;
  readonly test: string;
}

/** A program of its own. */
export interface ProgramFile {
  readonly program: string;
}

/** A story in a browser that takes too long for the suite. */
export interface StoryFile {
  readonly story: string;
}

export interface Proof {
  /** What it shows, in one line. */
  readonly about: string;
  /** What is counted: `--n 2000` may also be written with this word, as `--players 2000`. */
  readonly cases: string;
  /** How many of them, unless told otherwise. */
  readonly n: number;
  /** Its cases have names, so that `--only TEXT` leaves those whose names hold the text: `PROVE_ONLY`. */
  readonly named?: true;
  /** Paths from the root. Either takes its size from `PROVE_N` and its seed from `PROVE_SEED`. */
  readonly run: TestFile | ProgramFile | StoryFile;
}
