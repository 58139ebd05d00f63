/** What the parts of the acceptance run share. */
import type { Preset } from "./expected-chances.ts";
import type { Operator } from "./operator.ts";
import type { Platform } from "./platform.ts";
import type { System } from "./server.ts";
import type { Wallet } from "./wallet.ts";

export interface Round {
  readonly id: number;
  readonly name: string;
  readonly tag: string;
  /** `yyyy-MM-dd`, the business day on which it starts. */
  readonly date: string;
  readonly preset: Preset;
}

export interface Context {
  readonly base: string;
  readonly admin: { readonly username: string; readonly password: string };
  readonly wallet: Wallet;
  readonly redctl: (args: string) => Promise<{ code: number | null; out: string; err: string }>;
  system: System;
}

/** A run after signing in. */
export interface Signed extends Context {
  readonly operator: Operator;
  readonly platform: Platform;
}

/** The condition window of every round: twelve hours and one second of the previous business day. */
export interface Window {
  /** `yyyy-MM-dd HH:mm:ss` in the business time zone. */
  readonly start: string;
  readonly end: string;
  /** First millisecond of the window, and first millisecond after it. */
  readonly from: number;
  readonly until: number;
}

/** The business time zone of the run is Asia/Shanghai, which has been UTC+8 since 1991. */
const OFFSET_MS = 8 * 3_600_000;

/** An instant as local time of the business time zone. */
export function shown(at: number): string {
  return new Date(at + OFFSET_MS).toISOString().slice(0, 19).replace("T", " ");
}

/** The instant of a local time of the business time zone. */
export function instantOf(text: string): number {
  return Date.parse(`${text.replace(" ", "T")}Z`) - OFFSET_MS;
}

export function windowFrom(start: string, end: string): Window {
  // The end includes its second.
  return { start, end, from: instantOf(start), until: instantOf(end) + 1_000 };
}

export function windowOf(now: number): Window {
  const day = shown(now - 86_400_000).slice(0, 10);
  return windowFrom(`${day} 08:00:00`, `${day} 20:00:00`);
}
