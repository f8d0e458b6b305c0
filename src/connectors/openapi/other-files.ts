import { defineOwn } from "../../base/util/snapshot.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { survey } from "./bounds.ts";
import type { NetworkPolicy } from "./network.ts";
import { loadRefParser } from "./packages.ts";
import { nameOf, readSource } from "./read-source.ts";

/** How many further files a document may name. */
const mostFiles = 500;

/** The place of other files within the document. */
const place = "x-other-files";

type Document = Record<string, unknown>;

/**
 * A copy of the document with all files that it names, so that every reference stays within it. A file that cannot be read
 * is noted, and references to it name nothing.
 */
export async function embedOthers(
  root: Document,
  address: string | undefined,
  policy: NetworkPolicy,
  notes: string[],
): Promise<Document> {
  const home = address ?? "document:/";
  const files = await readOthers(root, home, policy, notes);
  const addresses = [home, ...files.keys()];
  const copies = [root, ...files.values()].map((file) => structuredClone(file));
  for (const [index, copy] of copies.entries()) rewrite(copy, addresses[index] ?? home, addresses);
  const [whole = {}, ...others] = copies;
  defineOwn(whole, place, Object.fromEntries(others.map((file, index) => [`file${index + 1}`, file])));
  return whole;
}

/** Reads and parses what the document names, and what that names. */
async function readOthers(
  root: Document,
  home: string,
  policy: NetworkPolicy,
  notes: string[],
): Promise<ReadonlyMap<string, Document>> {
  const { $RefParser } = await loadRefParser();
  const requested = new Set<string>();
  const reader = {
    order: 1,
    canRead: true,
    read: ({ url }: { readonly url: string }): Promise<string> => {
      requested.add(url);
      if (requested.size > mostFiles) throw new Error(`more than ${mostFiles} files`);
      if (!mayRead(home, url)) throw new Error("a document from the network cannot name files");
      return readSource(url, policy);
    },
  };
  const parser = new $RefParser();
  const resolve = { file: false, http: false, other: reader };
  // What could not be read is missing below.
  await parser
    .resolve(home, root, { continueOnError: true, resolve, parse: { binary: false } })
    .catch(() => undefined);
  const values = new Map(Object.entries(parser.$refs.values()));
  const files = new Map<string, Document>();
  for (const url of requested) {
    const value: unknown = values.get(url);
    const isUsable = isPlainObject(value) && survey(value).problem === undefined;
    if (isUsable) files.set(url, value);
    else notes.push(`${nameOf(url)}, which the document refers to, cannot be read.`);
  }
  return files;
}

function mayRead(home: string, url: string): boolean {
  return /^https?:/.test(url) || (url.startsWith("file:") && home.startsWith("file:"));
}

/** Makes every reference in a file one within the whole. */
function rewrite(file: Document, home: string, addresses: readonly string[]): void {
  const visited = new Set<object>();
  const objects: object[] = [file];
  for (let value = objects.pop(); value; value = objects.pop()) {
    if (visited.has(value)) continue;
    visited.add(value);
    const reference: unknown = Object.hasOwn(value, "$ref") ? Reflect.get(value, "$ref") : undefined;
    if (typeof reference === "string") Reflect.set(value, "$ref", within(reference, home, addresses));
    for (const child of Object.values(value))
      if (typeof child === "object" && child !== null) objects.push(child);
  }
}

function within(reference: string, home: string, addresses: readonly string[]): string {
  const [file = "", pointer = ""] = reference.split("#", 2);
  const target = file === "" ? home : (URL.parse(file, home)?.href ?? file);
  const index = addresses.indexOf(target);
  if (index < 0) return reference;
  return index === 0 ? `#${pointer}` : `#/${place}/file${index}${pointer}`;
}
