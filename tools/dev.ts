/**
 * `npm run dev`: the server from its sources, restarted on every change, and the console with live reload on
 * http://127.0.0.1:5173/red/, which passes calls to the server.
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import path from "node:path";
import { installed, ROOT } from "./run-command.ts";

/** The console's development server expects the server here (packages/console/vite.config.ts). */
const SERVER_PORT = "8080";

function start(program: string, parameters: readonly string[], cwd: string): ChildProcess {
  return spawn(installed(program), parameters, {
    cwd,
    env: { ...process.env, PORT: SERVER_PORT },
    stdio: ["ignore", "inherit", "inherit"],
    // Ctrl-C reaches only this process, which then signals each child once.
    detached: true,
  });
}

const children = [
  start("tsx", ["watch", "--clear-screen=false", "packages/server/src/main.ts"], ROOT),
  start("vite", ["--clearScreen", "false"], path.join(ROOT, "packages/console")),
];

let isStopping = false;

/** Ends both when either ends; a second signal would interrupt the server's shutdown. */
function stopAll(): void {
  if (isStopping) {
    return;
  }
  isStopping = true;
  for (const child of children) {
    child.kill("SIGTERM");
  }
}

for (const child of children) {
  child.once("exit", stopAll);
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, stopAll);
}
