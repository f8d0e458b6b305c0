import { errorMessage } from "../../base/util/error-message.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { survey } from "./bounds.ts";
import type { NetworkPolicy } from "./network.ts";
import { versionOf } from "./pointers.ts";
import { embedOthers } from "./other-files.ts";
import { loadRefParser } from "./packages.ts";
import { documentError } from "./problem.ts";
import { nameOf, readSource } from "./read-source.ts";
import { upgraded } from "./upgrade.ts";

/** A document as its operations are read from it: OpenAPI 3.1 or later, all references within it. */
export interface LoadedDocument {
  readonly root: Readonly<Record<string, unknown>>;
  /** Where it came from, for relative servers. */
  readonly address?: string;
  /** What it is called in errors. */
  readonly source: string;
  readonly notes: readonly string[];
}

/** A document as a program gives it: itself, its JSON or YAML text, its address or its file. */
export type OpenApiSource = string | URL | Readonly<Record<string, unknown>>;

/**
 * Reads a document, and brings it to OpenAPI 3.1.
 * @throws ConfigurationError (`invalid-openapi`) if it cannot be read or is none; (`missing-package`) if it takes a package
 * that is not installed.
 */
export async function loadDocument(input: OpenApiSource, policy: NetworkPolicy): Promise<LoadedDocument> {
  const address = addressOf(input);
  const source = address === undefined ? "given to openapi()" : nameOf(address);
  const parsed = await parsedSource(input, address, source, policy);
  if (!isPlainObject(parsed))
    throw documentError(source, "is not an OpenAPI document: it must be an object.");
  assertVersion(parsed, source);
  const { others, problem } = survey(parsed);
  if (problem !== undefined) throw documentError(source, problem);
  const notes: string[] = [];
  const whole = others.size === 0 ? parsed : await embedOthers(parsed, address, policy, notes);
  const root = await upgraded(whole, source, input === whole);
  return { root, source, notes, ...(address !== undefined && { address }) };
}

/** The address of a source that has one: files get `file:`. */
export function addressOf(source: OpenApiSource): string | undefined {
  if (source instanceof URL) return source.href;
  if (typeof source !== "string" || isText(source)) return undefined;
  if (/^(?:https?|file):/i.test(source)) return source;
  const url = globalThis.process?.getBuiltinModule?.("node:url");
  return url ? url.pathToFileURL(source).href : source;
}

/** Whether a string is the document itself and not the name of one. */
function isText(source: string): boolean {
  return source.includes("\n") || source.trimStart().startsWith("{");
}

async function parsedSource(
  input: OpenApiSource,
  address: string | undefined,
  source: string,
  policy: NetworkPolicy,
): Promise<unknown> {
  if (typeof input !== "string" && !(input instanceof URL)) return input;
  const text = address === undefined ? String(input) : await readSource(address, policy);
  return parseDocument(text, source);
}

/** Parses JSON, or YAML where the text is not JSON. */
async function parseDocument(text: string, source: string): Promise<unknown> {
  let brokenJson: unknown;
  if (/^[\s\uFEFF]*[{[]/.test(text)) {
    try {
      return JSON.parse(text.replace(/^\uFEFF/, ""));
    } catch (error) {
      // YAML has flow mappings, too.
      brokenJson = error;
    }
  }
  if (/^\s*<(?:!doctype|html)/i.test(text)) {
    throw documentError(source, "is an HTML page. Pass the address of the JSON or YAML itself.");
  }
  const { $RefParser } = await loadRefParser().catch((error: unknown) => {
    if (brokenJson === undefined) throw error;
    throw documentError(source, `is not JSON: ${firstLine(brokenJson)}.`, brokenJson);
  });
  const reader = { order: 1, canRead: true, read: (): string => text };
  const options = {
    resolve: { file: false, http: false, text: reader },
    parse: { json: false, text: false, binary: false },
  };
  try {
    return await new $RefParser().parse("document.yaml", options);
  } catch (error) {
    // The parser's word for YAML that is a text alone, or nothing.
    if (errorMessage(error).endsWith("is not a valid JSON Schema")) return undefined;
    // The parser names the missing file.
    const problem = firstLine(error).replace(/^Error parsing .*?document\.yaml: /, "");
    throw documentError(source, `is neither JSON nor YAML: ${problem}`, error);
  }
}

function firstLine(error: unknown): string {
  return errorMessage(error).split("\n", 1)[0]?.slice(0, 300) ?? "";
}

/** @throws ConfigurationError for what says no version that can be read. */
function assertVersion(document: Readonly<Record<string, unknown>>, source: string): void {
  const version = versionOf(document);
  if (/^(?:2(?:\.0)?|3\.\d+(?:\.\d+.*)?)$/.test(version)) return;
  const keys = Object.keys(document).slice(0, 5);
  const foundVersion =
    version === ""
      ? `it has ${keys.join(", ") || "nothing"} at the top`
      : `it says version ${version.slice(0, 20)}`;
  throw documentError(
    source,
    `is not an OpenAPI document that can be read: ${foundVersion}, not openapi: "3.x" or swagger: "2.0". Convert it to OpenAPI 3.`,
  );
}
