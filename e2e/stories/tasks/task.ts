/** What a task is made of. */
import type { Page } from "@playwright/test";
import type { Scene } from "./scene.ts";

export interface Task {
  readonly what: string;
  /** As many clicks as it may take. */
  readonly clicks: number;
  /** As many seconds as it may take; without, they are only told. */
  readonly seconds?: number;
  /** The page on which the operator is when it begins. */
  readonly from: string;
  /** What the screens show then; returns once it can be worked with. */
  ready(page: Page): Promise<void>;
  /**
   * The task, as its operator does it, until the screen shows that it is done. Answers what reads its end
   * through the API, and throws when that is another.
   */
  act(page: Page, scene: Scene): Promise<() => Promise<void>>;
  /** Puts back what would be in the way of the next time. */
  undo?(scene: Scene): Promise<void>;
}
