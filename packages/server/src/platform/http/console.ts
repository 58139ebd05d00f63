/** Serves the console and the guide, sets security headers and compresses responses. */
import path from "node:path";
import compress from "@fastify/compress";
import fastifyStatic from "@fastify/static";
import { AppError } from "@red/contract/platform/errors";
import type { Settings } from "#platform/handlers";
import type { FastifyInstance, FastifyReply } from "fastify";

const BASE = "/red/";

/** Paths of the older calls (behaviour §1). */
const API_BELOW_BASE = /^\/red\/(?:act|award|record|player)\//;

function setHeaders(reply: FastifyReply, file: string): void {
  // File names below assets/ contain a hash of the content.
  const isLasting = path.basename(path.dirname(file)) === "assets";
  void reply.header(
    "cache-control",
    isLasting ? "public, max-age=31536000, immutable" : "no-cache",
  );
}

/** Serves the built console and guide; unknown paths below /red/ get the console's page. */
export async function mountConsole(
  app: FastifyInstance,
  folder: string | null,
  settings: Settings,
): Promise<void> {
  app.get(`${BASE}config.json`, async (_request, reply) => {
    void reply.header("cache-control", "no-cache");
    return { gred_base: "", red_base: "", time_zone: settings.timeZone, title: "red packet" };
  });
  app.get("/", async (_request, reply) => await reply.redirect(BASE));
  app.get("/red", async (_request, reply) => await reply.redirect(BASE));
  if (folder === null) {
    return;
  }
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    lastModified: false,
    acceptRanges: false,
    setHeaders,
  });
  // The guide's address must end with a slash, because its images have relative paths.
  app.get(`${BASE}guide`, async (_request, reply) => await reply.redirect(`${BASE}guide/`));
  app.get(`${BASE}*`, async ({ url }, reply) => {
    const [pathname = ""] = url.split("?", 1);
    if (API_BELOW_BASE.test(pathname)) {
      throw new AppError("not_found");
    }
    // Files are read from disk each time, so a build under a running server replaces the page and its files together.
    const file = pathname.slice(BASE.length);
    return reply.sendFile(path.extname(file) !== "" || file === "guide/" ? file : "index.html");
  });
}

/** The security headers that helmet would set, but computed once. */
const OF_ALL = {
  "content-security-policy": "frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/**
 * Browsers use these headers on pages only. No header demands HTTPS, because plain HTTP on a private network is
 * supported.
 */
const OF_PAGES = {
  "content-security-policy": [
    "default-src 'self'",
    "base-uri 'none'",
    "font-src 'self' https: data:",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "img-src 'self' data:",
    "object-src 'none'",
    "script-src 'self'",
    "script-src-attr 'none'",
    // The component library injects its styles at run time.
    "style-src 'self' 'unsafe-inline'",
  ].join(";"),
  "cross-origin-opener-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "x-dns-prefetch-control": "off",
  "x-download-options": "noopen",
  "x-frame-options": "SAMEORIGIN",
  "x-permitted-cross-domain-policies": "none",
  "x-xss-protection": "0",
};

/** True if the response is a file whose name contains a hash of its content. */
export function isImmutable(reply: FastifyReply): boolean {
  return String(reply.getHeader("cache-control")).endsWith("immutable");
}

/**
 * Sets the security headers. Scripts and JSON do not get the page headers, which would double the size of the response.
 */
export function setSafeHeaders(reply: FastifyReply): void {
  void reply.headers(OF_ALL);
  const type = String(reply.getHeader("content-type") ?? "");
  const isScript = /^(?:application|text)\/(?:javascript|css)/.test(type) && isImmutable(reply);
  if (!isScript && !type.startsWith("application/json")) {
    void reply.headers(OF_PAGES);
  }
}

/**
 * Paths of the lists and lookups to compress. Files and streams are left out. Responses with a secret beside the
 * caller's input are also left out, because their compressed size would reveal the secret.
 */
const PACKED =
  /^\/(?:gred\/api|red\/(?:act|award|record|player|docs))\/(?!user\/|ticket|.*(?:export|excel|proof|stream)$)/;

/** Compresses responses to operators' calls, because lists repeat much of their text. */
export async function packAnswers(app: FastifyInstance): Promise<void> {
  app.addHook("onRoute", (route) => {
    if (!PACKED.test(route.url)) {
      route.compress = false;
    }
  });
  await app.register(compress, {
    globalDecompression: false,
    encodings: ["br", "gzip"],
    // Shorter responses fit into one packet.
    threshold: 1_400,
  });
}
