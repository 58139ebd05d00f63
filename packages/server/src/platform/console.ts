/**
 * Serves the built console from memory: no path of a request ever reaches the file system. A folder with a
 * page of its own, as the operators' guide, gives that; any other address below /red/ is the console's own
 * and gets its page.
 */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { AppError } from "@red/contract/errors";
import { dropPageHeaders } from "./page-headers.ts";
import type { Settings } from "./settings.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

const BASE = "/red/";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".json": "application/json",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

/** Below these the older family of calls lives, not the console (behaviour §1). */
const API_BELOW_BASE = /^\/red\/(?:act|award|record|player)\//;

interface File {
  readonly body: Buffer;
  readonly brotli: Buffer | null;
  readonly gzip: Buffer | null;
  readonly type: string;
  readonly etag: string;
}

async function readFiles(folder: string): Promise<Map<string, File>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const bodies = new Map<string, Buffer>();
  for (const entry of entries) {
    if (entry.isFile()) {
      const full = path.join(entry.parentPath, entry.name);
      const name = path.relative(folder, full).split(path.sep).join("/");
      bodies.set(name, await readFile(full));
    }
  }
  const files = new Map<string, File>();
  for (const [name, body] of bodies) {
    const type = TYPES[path.extname(name)];
    if (type !== undefined) {
      files.set(name, {
        body,
        brotli: bodies.get(`${name}.br`) ?? null,
        gzip: bodies.get(`${name}.gz`) ?? null,
        type,
        etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`,
      });
    }
  }
  return files;
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  file: File,
): FastifyReply {
  // Names below assets/ carry a hash of their content.
  const lasting = name.startsWith("assets/");
  void reply.header("cache-control", lasting ? "public, max-age=31536000, immutable" : "no-cache");
  if (lasting && /\.(?:js|css)$/.test(name)) {
    dropPageHeaders(reply);
  }
  void reply.header("etag", file.etag).header("vary", "accept-encoding").type(file.type);
  if (request.headers["if-none-match"] === file.etag) {
    return reply.code(304).send();
  }
  const accepted = String(request.headers["accept-encoding"] ?? "");
  if (file.brotli !== null && /\bbr\b/.test(accepted)) {
    return reply.header("content-encoding", "br").send(file.brotli);
  }
  if (file.gzip !== null && /\bgzip\b/.test(accepted)) {
    return reply.header("content-encoding", "gzip").send(file.gzip);
  }
  return reply.send(file.body);
}

/** Mounts the console, and the small document that tells it where the calls are. */
export async function mountConsole(
  app: FastifyInstance,
  folder: string | null,
  settings: Settings,
): Promise<void> {
  const files = folder === null ? new Map<string, File>() : await readFiles(folder);
  app.get(`${BASE}config.json`, async (_request, reply) => {
    void reply.header("cache-control", "no-cache");
    return { gred_base: "", red_base: "", time_zone: settings.timeZone, title: "red packet" };
  });
  app.get("/", async (_request, reply) => await reply.redirect(BASE));
  app.get("/red", async (_request, reply) => await reply.redirect(BASE));
  app.get(`${BASE}*`, async (request, reply) => {
    const [pathname = ""] = request.url.split("?", 1);
    const name = pathname.slice(BASE.length);
    const file = files.get(name);
    if (file !== undefined) {
      return sendFile(request, reply, name, file);
    }
    const own = files.get(`${name.replace(/\/$/, "")}/index.html`);
    if (own !== undefined && !name.endsWith("/")) {
      // What it shows is named from its folder.
      return await reply.redirect(`${pathname}/`);
    }
    if (own !== undefined) {
      return sendFile(request, reply, `${name}index.html`, own);
    }
    const page = files.get("index.html");
    const isPage = path.extname(name) === "" && !API_BELOW_BASE.test(pathname);
    if (page === undefined || !isPage) {
      throw new AppError("not_found");
    }
    return sendFile(request, reply, "index.html", page);
  });
}
