/**
 * The test wallet's two ports. The public one may speak TLS with a wrong certificate, or swallow connections. The plain
 * one is for the test and always answers.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { Server as HttpServer } from "node:http";
import type { Control } from "./modes.ts";

/** The key is no secret: only tests trust the authority that signed these certificates. */
function readCertificate(name: Control["certificate"] | "authority" | "key"): string {
  return readFileSync(new URL(`../certificates/${name}.pem`, import.meta.url), "utf8");
}

async function listening(server: Server, port: number, host: string): Promise<number> {
  server.listen(port, host);
  await once(server, "listening");
  // A server on a port has an address of this type.
  return (server.address() as AddressInfo).port;
}

/** `isTls` makes the public port speak TLS; `control` returns the current mode. */
export function openPorts(
  served: HttpServer,
  isTls: boolean,
  control: () => Pick<Control, "mode" | "certificate">,
) {
  const sockets = new Set<Socket>();
  const serve = (socket: Socket) => {
    socket.on("error", () => socket.destroy());
    served.emit("connection", socket);
  };
  const sealed = createTlsServer();
  sealed.on("secureConnection", serve);
  sealed.on("tlsClientError", () => {});
  const outer = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    if (control().mode === "blackhole") {
      socket.pause();
    } else if (isTls) {
      const cert = readCertificate(control().certificate);
      sealed.setSecureContext({ key: readCertificate("key"), cert });
      sealed.emit("connection", socket);
    } else {
      serve(socket);
    }
  });
  const plain = createServer(serve);
  const cutOthers = (except: Socket | null) => {
    for (const socket of sockets) {
      if (socket !== except) {
        socket.destroy();
      }
    }
  };
  return {
    async open(port: number, host: string) {
      return {
        port: await listening(outer, port, host),
        control: await listening(plain, 0, host),
      };
    },
    /** The authority that callers must trust, as PEM; null without TLS. */
    authority: isTls ? readCertificate("authority") : null,
    /** Cuts all callers' connections except this one. */
    cutOthers,
    close() {
      outer.close();
      plain.close();
      cutOthers(null);
    },
  };
}
