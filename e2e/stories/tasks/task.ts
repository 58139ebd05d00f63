import type { Page } from "@playwright/test";
import type { Scene } from "./scene.ts";

export interface Task {
  readonly what: string;
  /** Limit for clicks. */
  readonly clicks: number;
  /** Limit for seconds; without it they are only reported. */
  readonly seconds?: number;
  /** The page on which the task begins. */
  readonly from: string;
  /** Resolves once that page can be used. */
  ready(page: Page): Promise<void>;
  /**
   * Does the task like an operator, until the screen shows its end. Answers a check of the result by API, which throws
   * when it is wrong.
   */
  act(page: Page, scene: Scene): Promise<() => Promise<void>>;
  /** Undoes what would disturb the next run. */
  undo?(scene: Scene): Promise<void>;
}
