/** Machines as network namespaces on one bridge, which can be cut off, stopped and killed. Needs root. */
import { execFileSync } from "node:child_process";

const BRIDGE = "redp0";
const NET = "10.77.0";
/** The machine of this program: wallet, platform and operators. */
export const OUTSIDE = `${NET}.1`;

const ip = (words: string) =>
  execFileSync("ip", words.split(" "), { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

function quietly(work: () => unknown): void {
  try {
    work();
  } catch {
    // It is gone already.
  }
}

export type SignalName = "SIGKILL" | "SIGSTOP" | "SIGCONT";

/** Opens the named machines; `close` ends all that runs on them. */
export function openNetwork(names: readonly string[]) {
  const close = () => {
    for (const name of names) {
      quietly(() => signalAll(name, "SIGKILL"));
      // A killed process may hold the machine a little longer, but not its name for the next.
      quietly(() => ip(`link del red-${name}`));
      quietly(() => ip(`netns del red-${name}`));
    }
    quietly(() => ip(`link del ${BRIDGE}`));
  };
  const signalAll = (name: string, signal: SignalName) => {
    for (const pid of ip(`netns pids red-${name}`).split("\n").filter(Boolean)) {
      quietly(() => process.kill(Number(pid), signal));
    }
  };
  // A run that was killed may have left them.
  close();
  ip(`link add ${BRIDGE} type bridge`);
  ip(`addr add ${OUTSIDE}/24 dev ${BRIDGE}`);
  ip(`link set ${BRIDGE} up`);
  const addresses = new Map<string, string>();
  for (const [at, name] of names.entries()) {
    const address = `${NET}.${at + 11}`;
    addresses.set(name, address);
    ip(`netns add red-${name}`);
    ip(`link add red-${name} type veth peer name eth0 netns red-${name}`);
    ip(`link set red-${name} master ${BRIDGE} up`);
    ip(`-n red-${name} addr add ${address}/24 dev eth0`);
    ip(`-n red-${name} link set eth0 up`);
    ip(`-n red-${name} link set lo up`);
  }
  process.once("exit", close);
  return {
    close,
    signalAll,
    addressOf: (name: string) => addresses.get(name) ?? "",
    /** A command, its words without blanks, on the machine. */
    on: (name: string, command: string): [string, ...string[]] => [
      "ip",
      ...`netns exec red-${name} ${command}`.split(" "),
    ],
    cut: (name: string) => void ip(`link set red-${name} down`),
    heal: (name: string) => void ip(`link set red-${name} up`),
  };
}

export type Network = ReturnType<typeof openNetwork>;
