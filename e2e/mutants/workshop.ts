/**
 * A copy of the product in which something may be broken: never the checkout itself. The console is
 * served from its sources, so that a change of one file is all that has to be read anew.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../outside/server.ts";
import { changed } from "./literal.ts";
import type { Mutant } from "./literal.ts";

const COPIED = [
  "packages",
  "tools",
  "docs/guide",
  "package.json",
  "package-lock.json",
  "tsconfig.base.json",
];
const SERVED_MS = 60_000;
const HEARD_MS = 3_000;

/** As the console's own configuration has it, but in front of `system`, and without a word to pages. */
const CONFIG = `
import { mergeConfig } from "vite";
import base from "./vite.config.ts";

const target = process.env.SYSTEM;
const configure = (proxy) => {
  // A call whose connection breaks is to break here, too.
  proxy.removeAllListeners("error");
  proxy.on("error", (_fault, _request, response) => response.destroy());
};
const rules = Object.keys(base.server.proxy).map((rule) => [rule, { target, configure }]);

export default mergeConfig(base, {
  logLevel: "silent",
  server: {
    host: "127.0.0.1",
    port: Number(process.env.PORT),
    strictPort: true,
    hmr: false,
    fs: { strict: false },
    proxy: Object.fromEntries(rules),
  },
});
`;

export interface Workshop {
  /** The copy's root. */
  readonly root: string;
  /** Serves the copy's console in front of the system at this address; answers its own. */
  serve(system: string): Promise<string>;
  /** Has the mutant served in place of the original. */
  apply(mutant: Mutant): Promise<void>;
  /** Has the original served again. */
  restore(mutant: Mutant): Promise<void>;
  close(): Promise<void>;
}

/** Everything that the copy does not have itself is looked up in the checkout. */
function linkModules(from: string, root: string): void {
  const [source, own] = [path.join(from, "node_modules"), path.join(root, "node_modules")];
  mkdirSync(path.join(own, "@red"), { recursive: true });
  for (const name of readdirSync(source)) {
    if (![".cache", ".vite", ".package-lock.json", "@red"].includes(name)) {
      symlinkSync(path.join(source, name), path.join(own, name));
    }
  }
  for (const name of readdirSync(path.join(source, "@red"))) {
    const link = readlinkSync(path.join(source, "@red", name));
    symlinkSync(link, path.join(own, "@red", name));
  }
}

/** Copies the checkout at `from` to `root`, which must not exist. */
export function openWorkshop(from: string, root: string): Workshop {
  for (const name of COPIED) {
    cpSync(path.join(from, name), path.join(root, name), { recursive: true });
  }
  linkModules(from, root);
  const consoleRoot = path.join(root, "packages/console");
  writeFileSync(path.join(consoleRoot, "vite.workshop.config.ts"), CONFIG);
  let base = "";
  let end: () => Promise<void> = () => Promise.resolve();

  /** What is served of a source file now. */
  async function served(file: string): Promise<string> {
    const below = path.relative("packages/console", file);
    const address = below.startsWith("..") ? `@fs${path.join(root, file)}` : below;
    const accept = file.endsWith(".css") ? "text/css" : "*/*";
    const answer = await fetch(`${base}/red/${address}`, { headers: { accept } });
    return await answer.text();
  }

  /** In one step, so that no half of it is read. */
  function replace(file: string, content: string): void {
    const draft = path.join(root, "draft");
    writeFileSync(draft, content);
    renameSync(draft, path.join(root, file));
  }

  async function write(file: string, content: string): Promise<void> {
    const before = await served(file);
    const until = Date.now() + SERVED_MS;
    while (Date.now() < until) {
      // Of changes that follow each other closely, one may not be heard of.
      replace(file, content);
      for (const again = Date.now() + HEARD_MS; Date.now() < again; await sleep(50)) {
        if ((await served(file)) !== before) {
          return;
        }
      }
    }
    throw new Error(`${file} is still served as it was`);
  }

  /** The file as it was copied: the checkout may have moved on. */
  const originals = new Map<string, string>();
  function original(file: string): string {
    const content = originals.get(file) ?? readFileSync(path.join(root, file), "utf8");
    originals.set(file, content);
    return content;
  }

  async function untilUp(): Promise<void> {
    for (const until = Date.now() + SERVED_MS; Date.now() < until; await sleep(100)) {
      const answer = await fetch(`${base}/red/`).catch(() => null);
      if (answer?.ok === true) {
        return;
      }
    }
    throw new Error("the console is not served");
  }

  return {
    root,
    serve: async (system) => {
      const port = await freePort();
      const command = path.join(root, "node_modules/vite/bin/vite.js");
      const child = spawn(process.execPath, [command, "--config", "vite.workshop.config.ts"], {
        cwd: consoleRoot,
        env: { ...process.env, SYSTEM: system, PORT: String(port) },
        stdio: ["ignore", "inherit", "inherit"],
      });
      process.once("exit", () => child.kill("SIGKILL"));
      end = async () => {
        child.kill("SIGTERM");
        await once(child, "exit");
      };
      base = `http://127.0.0.1:${port}`;
      await untilUp();
      return base;
    },
    apply: (mutant) => write(mutant.file, changed(original(mutant.file), mutant)),
    restore: ({ file }) => write(file, original(file)),
    close: () => end(),
  };
}
