/** Gauges about the host of a process: the disk of its data folder, its connections and the wallet's certificate. */
import { once } from "node:events";
import { statfs } from "node:fs/promises";
import { isIP } from "node:net";
import { connect } from "node:tls";
import type pg from "pg";
import type { Measured } from "#platform/http/metrics";

/** Returns the free and total bytes of the disk that contains the folder. */
export async function readDiskSpace(folder: string) {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, size: blocks * bsize };
}

export const diskMeasured = (folder: string): Measured[] =>
  (["free", "size"] as const).map((which) => ({
    name: `redpacket_data_folder_${which}_bytes`,
    help: `The disk of DATA_DIR: ${which}`,
    value: async () => (await readDiskSpace(folder))[which],
  }));

export function poolsMeasured(pools: ReadonlyMap<string, pg.Pool>): Measured {
  return {
    name: "redpacket_db_connections",
    help: "Connections of each pool that are busy or idle, and calls that wait for one",
    labels: ["pool", "state"],
    value: () =>
      [...pools].flatMap(([pool, { totalCount, idleCount, waitingCount }]) => {
        const counts = { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
        return Object.entries(counts).map(([state, count]) => [{ pool, state }, count] as const);
      }),
  };
}

const CERTIFICATE_KEPT_MS = 5 * 60_000;

/**
 * Returns when the certificate of an https address ends, and why node does not trust the certificate (null if node
 * does). Throws if the server does not answer.
 */
export async function readCertificate(address: string) {
  const { hostname, port } = new URL(address);
  const host = hostname.replaceAll(/[[\]]/g, "");
  const named = isIP(host) === 0 ? { servername: host } : {};
  // This sends no data, so connecting to an untrusted server is safe.
  const socket = connect({ host, port: Number(port || 443), ...named, rejectUnauthorized: false });
  socket.setTimeout(3_000, () => socket.destroy(new Error("no answer in time")));
  try {
    await once(socket, "secureConnect");
    const ends = new Date(socket.getPeerCertificate().valid_to);
    return { ends, fault: socket.authorized ? null : String(socket.authorizationError) };
  } finally {
    socket.destroy();
  }
}

export function certificateMeasured(address: string): Measured {
  let until = Number.NEGATIVE_INFINITY;
  let asked: ReturnType<typeof readCertificate>;
  return {
    name: "redpacket_wallet_certificate_expires_timestamp_seconds",
    help: "When the wallet's certificate ends",
    value: async () => {
      if (performance.now() >= until) {
        until = performance.now() + CERTIFICATE_KEPT_MS;
        asked = readCertificate(address);
      }
      return (await asked).ends.getTime() / 1000;
    },
  };
}
