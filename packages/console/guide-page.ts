/** Vite plugin that serves the operators' guide (docs/guide) as a page at /red/guide/. */
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Marked } from "marked";
import type { Plugin } from "vite";

const FOLDER = fileURLToPath(new URL("../../docs/guide/", import.meta.url));
const ADDRESS = "guide/";

const STYLE = `
:root { color-scheme: light dark; --text: #1f2329; --soft: #5c6370; --line: #dcdfe6; --ground: #fff; --link: #0958d9; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e8eb; --soft: #a3a9b3; --line: #3a3f47; --ground: #16181d; --link: #6cb1ff; }
}
body {
  max-width: 56rem; margin: 0 auto; padding: 24px 20px 64px; background: var(--ground); color: var(--text);
  font: 16px/1.75 system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; overflow-wrap: break-word;
}
h1, h2 { line-height: 1.35; }
h2 { margin-top: 2.2em; padding-top: 0.6em; border-top: 1px solid var(--line); scroll-margin-top: 8px; }
a { color: var(--link); }
em { color: var(--soft); }
img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; }
th, td { padding: 6px 12px; border: 1px solid var(--line); text-align: start; }
li { margin-block: 4px; }
`;

/** Returns the anchor of a heading, built as code hosts build it. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, "")
    .replaceAll(/\s/g, "-");
}

/** Converts the Markdown of the guide to a whole HTML page. A link to a file that is not served becomes plain text. */
export function guideHtml(markdown: string): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        return href.startsWith("#") ? `<a href="${encodeURI(href)}">${words}</a>` : words;
      },
    },
  });
  const [, title = ""] = /^# (.+)$/m.exec(markdown) ?? [];
  return `<!doctype html>
<html lang="zh-CN">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="icon" href="data:," />
    <title>${title} - red packet</title>
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
${marked.parse(markdown, { async: false })}
    </main>
  </body>
</html>
`;
}

/** Returns the page and its pictures. The key is the address relative to the guide's own address. */
function guideFiles(): Map<string, string | Buffer> {
  const pictures = path.join(FOLDER, "pictures");
  return new Map<string, string | Buffer>([
    ["index.html", guideHtml(readFileSync(path.join(FOLDER, "README.md"), "utf8"))],
    ...readdirSync(pictures).map(
      (name) => [`pictures/${name}`, readFileSync(path.join(pictures, name))] as const,
    ),
  ]);
}

/** Adds the guide to the build, and serves it in development. */
export function guidePage(): Plugin {
  return {
    name: "guide-page",
    generateBundle() {
      for (const [name, source] of guideFiles()) {
        this.emitFile({ type: "asset", fileName: `${ADDRESS}${name}`, source });
      }
    },
    configureServer({ middlewares, config }) {
      middlewares.use(`${config.base}${ADDRESS}`, ({ url = "/" }, reply, next) => {
        const name = url.replace(/^\//, "").split("?", 1)[0];
        const file = guideFiles().get(name === "" || name === undefined ? "index.html" : name);
        if (file === undefined) {
          next();
          return;
        }
        reply.setHeader("content-type", typeof file === "string" ? "text/html" : "image/png");
        reply.end(file);
      });
    },
  };
}
