import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

/** What a browser gets. */
export interface Page {
  readonly type: string;
  readonly body: string;
}

const folder = join(import.meta.dirname, "pages");
const html = "text/html; charset=utf-8";

/** The pages by their paths. Their scripts are bundled in memory; a real site has a build for that. */
export async function buildPages(): Promise<ReadonlyMap<string, Page>> {
  const [index, chat, style, { outputFiles }] = await Promise.all([
    readFile(join(folder, "index.html"), "utf8"),
    readFile(join(folder, "chat.html"), "utf8"),
    readFile(join(folder, "style.css"), "utf8"),
    build({
      entryPoints: { react: join(folder, "react.jsx"), plain: join(folder, "plain.ts") },
      bundle: true,
      minify: true,
      write: false,
      format: "esm",
      target: "es2023",
      jsx: "automatic",
      outdir: "/",
      define: { "process.env.NODE_ENV": '"production"' },
    }),
  ]);
  const chatPage = (name: string): Page => ({ type: html, body: chat.replaceAll("{{name}}", name) });
  return new Map([
    ["/", { type: html, body: index }],
    ["/react", chatPage("react")],
    ["/plain", chatPage("plain")],
    ["/style.css", { type: "text/css; charset=utf-8", body: style }],
    ...outputFiles.map(({ path, text }): [string, Page] => [
      path.replaceAll("\\", "/"),
      { type: "text/javascript; charset=utf-8", body: text },
    ]),
  ]);
}
