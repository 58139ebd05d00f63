/**
 * Finds a browser for the tests: `CHROMIUM_PATH`, else an installed Chromium or Chrome, else the npm package (which
 * needs the system's libnss3), else Debian's, which root installs. Where there is a choice, the headless shell: the
 * stories take two thirds of the processor time of a whole Chromium. None of them brings a Chinese font, and without one
 * the lists are wider than what operators see: root installs Debian's.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { runCommand } from "./run-command.ts";

const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];
const FOLDERS = ["/usr/bin", "/usr/local/bin", "/snap/bin"];
const MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

async function works(program: string): Promise<boolean> {
  const { code, output } = await runCommand(program, ["--version"], { timeoutMs: 30_000 });
  return code === 0 && /\d+\.\d+/.test(output);
}

function installedBrowsers(): string[] {
  const folders = [...(process.env["PATH"] ?? "").split(path.delimiter), ...FOLDERS];
  const candidates = folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name)));
  return [...new Set([...candidates, MAC])].filter((candidate) => existsSync(candidate));
}

/** Unpacks the browser of the npm package; null if it does not run. */
async function packagedBrowser(): Promise<string | null> {
  try {
    const { default: chromium } = await import("@sparticuz/chromium");
    chromium.setGraphicsMode = false;
    const program = await chromium.executablePath();
    return (await works(program)) ? program : null;
  } catch {
    return null;
  }
}

async function install(...packages: readonly string[]): Promise<void> {
  const options = { env: { DEBIAN_FRONTEND: "noninteractive" }, timeoutMs: 600_000 };
  const commands = [["update"], ["install", "-y", "--no-install-recommends", ...packages]];
  for (const command of commands) {
    const { code, output } = await runCommand("apt-get", command, options);
    if (code !== 0) {
      throw new Error(
        `${packages.join()} is missing, and apt-get ${command[0]} failed:\n${output}`,
      );
    }
  }
}

const mayInstall = () => process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");

/** Installs a Chinese font where root runs this on Debian; elsewhere the desktop has its fonts. */
async function ensureChineseFont(): Promise<void> {
  if (mayInstall()) {
    const { code, output } = await runCommand("fc-list", [":lang=zh"]);
    if (code !== 0 || output.trim() === "") {
      await install("fonts-noto-cjk");
    }
  }
}

/** Path of a working browser. Throws with instructions when none is found. */
export async function findChromium(): Promise<string> {
  await ensureChineseFont();
  const named = process.env["CHROMIUM_PATH"] ?? "";
  if (named !== "") {
    if (await works(named)) {
      return named;
    }
    throw new Error(`CHROMIUM_PATH names ${named}, which does not run`);
  }
  for (const candidate of installedBrowsers()) {
    if (await works(candidate)) {
      return candidate;
    }
  }
  const packaged = await packagedBrowser();
  if (packaged !== null) {
    return packaged;
  }
  if (mayInstall()) {
    await install("chromium-headless-shell");
    return "/usr/bin/chromium-headless-shell";
  }
  throw new Error(
    "no browser was found for the tests: install Chromium, or libnss3 for the one that npm brings, or name one in CHROMIUM_PATH",
  );
}
