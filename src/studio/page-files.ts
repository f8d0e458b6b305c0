import { readFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Refusal } from "../server/refusal.ts";

/** The files of the page by their addresses, with their types. */
const files: Readonly<Record<string, readonly [file: string, type: string]>> = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/page.js": ["page.js", "text/javascript; charset=utf-8"],
  "/page.css": ["page.css", "text/css; charset=utf-8"],
};

/** The headers of everything that the studio answers: nothing but its own files, and nothing of it in a page of others. */
export const safeHeaders: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Whether an address is that of a file of the page. These have no secret, and need no token. */
export function isPageFile(path: string): boolean {
  return Object.hasOwn(files, path);
}

/** A file of the page. @throws Refusal (503) where the page was not built. */
export async function pageFile(path: string): Promise<Response> {
  const [file, type] = files[path] ?? ["index.html", "text/html; charset=utf-8"];
  const folder = pageFolder();
  if (!folder) throw new Refusal(503, "page-missing", "The page of the studio is not built: npm run build.");
  return new Response(await readFile(new URL(file, folder)), {
    headers: { "content-type": type, "cache-control": "no-cache" },
  });
}

/** Where the built page is: the package's code may be in any of its folders. */
function pageFolder(): URL | undefined {
  return ["./", "../", "../../"]
    .map((up) => new URL(`${up}dist/studio/page/`, import.meta.url))
    .find((url) => url.protocol === "file:" && existsSync(fileURLToPath(new URL("index.html", url))));
}
