import { invalidOption } from "../../base/options/known-options.ts";
import { compileSchema } from "../../schema/compile-schema.ts";
import type { Schema } from "../../schema/types.ts";
import { defineTool } from "../../tool/define.ts";
import type { ToolContext } from "../../tool/tool-context.ts";
import type { Tool } from "../../tool/types.ts";
import { closest } from "../../base/util/closest.ts";
import { answerSchemas } from "./answer-schemas.ts";
import { type Api, callOperation } from "./call-operation.ts";
import { chooseOperations } from "./choose-operations.ts";
import { chooseCredentials } from "./credentials.ts";
import { inputSchemas, type InputSchemas } from "./input-schema.ts";
import { addressOf, loadDocument, type LoadedDocument, type OpenApiSource } from "./load-document.ts";
import type { NetworkPolicy } from "./network.ts";
import { CachedTokens } from "./oauth.ts";
import { readOperations } from "./operations.ts";
import type { OpenApiOptions } from "./options.ts";
import { member, textIn } from "./pointers.ts";
import { documentError } from "./problem.ts";
import { safeMethods } from "./redirects.ts";
import { securitySchemes } from "./security.ts";
import { shorten } from "./shorten.ts";
import type { LeftOut, OpenApiReport, Operation } from "./types.ts";

/** The longest description of a tool, in characters. */
const longestDescription = 700;

/** The most characters of an answer that a model is shown, unless the options say otherwise. */
const usualMaxResultChars = 30_000;

/** The tools of an API, and what became of its document. */
export interface LoadedApi {
  readonly tools: readonly Tool[];
  readonly report: OpenApiReport;
}

/**
 * Reads a document and makes its tools.
 * @throws ConfigurationError for a document that cannot be used, or that has no operation left.
 */
export async function loadApi(source: OpenApiSource, options: OpenApiOptions): Promise<LoadedApi> {
  const policy = networkPolicy(source, options);
  const document = await loadDocument(source, policy);
  const { root } = document;
  const { baseUrl, serverVariables: variables = {}, headers = {} } = options;
  assertSchemes(root, document.source, options);
  const ownHeaders = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const { address } = document;
  const result = readOperations(root, { baseUrl, address, variables, ownHeaders });
  const { chosen, leftOut: unwanted } = chooseOperations(result.operations, options);
  const leftOut = [...result.leftOut, ...unwanted];
  const [first] = leftOut;
  if (chosen.length === 0) throw documentError(document.source, emptiness(first, leftOut.length));
  const answerSchema = options.validateResponses === true ? answerSchemas(root) : (): undefined => undefined;
  const api: Api = { options, policy, tokens: new CachedTokens(policy), answerSchema };
  const schemas = inputSchemas(root);
  const notes = [...document.notes, ...credentialNotes(chosen, options)];
  const tools = chosen.map((operation) => toolOf(operation, schemas, api, notes));
  notes.push(...schemas.notes);
  return { tools, report: reportOf(document, tools, leftOut, notes) };
}

function emptiness(first: LeftOut | undefined, count: number): string {
  if (!first) return "has no operations: there is nothing in its paths.";
  return `has no operation that can be a tool. Of ${count}, the first is ${first.method} ${first.path}: ${first.reason}.`;
}

function networkPolicy(source: OpenApiSource, options: OpenApiOptions): NetworkPolicy {
  const named = [options.baseUrl, addressOf(source)].flatMap((address) => {
    const url = address === undefined ? null : URL.parse(address);
    return url && /^https?:$/.test(url.protocol) ? [url.origin] : [];
  });
  return {
    fetch: options.fetch,
    allowPrivate: options.allowPrivateAddresses === true,
    trusted: new Set(named),
  };
}

function toolOf(operation: Operation, schemas: InputSchemas, api: Api, notes: string[]): Tool {
  const { name, method, summary, tags, deprecated } = operation;
  const { timeout, maxResultChars = usualMaxResultChars, approval = "writes" } = api.options;
  const { schema, leftOut } = schemas.of(operation);
  if (leftOut.length > 0)
    notes.push(`The arguments of ${name} are described in part: ${leftOut.length} schemas found no room.`);
  const asks = approval === "all" || (approval === "writes" && !safeMethods.has(method));
  const definition = {
    name,
    description: descriptionOf(operation),
    ...(summary !== undefined && { title: shorten(summary, 100) }),
    ...(tags.length > 0 && { tags }),
    ...(deprecated && { deprecated }),
    ...(timeout !== undefined && { timeout }),
    ...(asks && { approval: true }),
    maxResultChars,
    input: schema,
    execute: (input: unknown, context: ToolContext) => callOperation(operation, input, context, api),
  };
  // Compiled at the first call: what the document has that cannot be is left out of it already, and there may be thousands.
  const tool = defineTool(definition, () => compileSchema(schema));
  const outputSchema = promisedAnswer(operation, api);
  return outputSchema ? { ...tool, outputSchema } : tool;
}

/** What a call returns if it succeeds: where answers are held to the document, and only one is a success. */
function promisedAnswer(operation: Operation, { answerSchema }: Api): Schema | undefined {
  const [status, ...others] = [...operation.responses.keys()].filter((key) => /^(?:2|DEFAULT$)/.test(key));
  const isOne = status !== undefined && /^2\d\d$/.test(status) && others.length === 0;
  return isOne ? answerSchema(operation, Number(status)) : undefined;
}

function descriptionOf({ summary = "", description = "", method, path }: Operation): string {
  const isSaid = description.toLowerCase().startsWith(summary.toLowerCase().replace(/\.$/, ""));
  const end = summary === "" || /[.!?]\s*$/.test(summary) ? "" : ".";
  const text = shorten(isSaid ? description : `${summary}${end}\n${description}`, longestDescription);
  return text === "" ? shorten(`${method} ${path}`, longestDescription) : text;
}

/** A misspelled name would leave every call without its credential. */
function assertSchemes(root: unknown, source: string, { auth }: OpenApiOptions): void {
  if (auth === undefined || typeof auth === "string" || typeof auth === "function") return;
  const schemes = [...securitySchemes(root).keys()];
  for (const name of Object.keys(auth)) {
    if (schemes.includes(name)) continue;
    const [near] = closest(name, schemes, 1);
    const hint = near === undefined ? `It has: ${schemes.join(", ") || "none"}.` : `Did you mean "${near}"?`;
    throw invalidOption(
      `auth of openapi() has "${name}", which is not a security scheme of the document ${source}. ${hint}`,
      { option: "auth" },
    );
  }
}

function credentialNotes(operations: readonly Operation[], { auth }: OpenApiOptions): readonly string[] {
  const missing = new Map<Operation["security"], number>();
  for (const { security } of operations) missing.set(security, (missing.get(security) ?? 0) + 1);
  // Operations mostly share what they require.
  for (const security of missing.keys()) {
    const isOptional = security.some((alternative) => alternative.length === 0);
    if (isOptional || chooseCredentials(security, auth)) missing.delete(security);
  }
  if (missing.size === 0) return [];
  const count = [...missing.values()].reduce((sum, each) => sum + each, 0);
  const names = new Set([...missing.keys()].flatMap((security) => security.flat().map(({ name }) => name)));
  return [`${count} operations need credentials that auth does not have, for ${[...names].join(" or ")}.`];
}

function reportOf(
  { root, source }: LoadedDocument,
  tools: readonly Tool[],
  leftOut: readonly LeftOut[],
  notes: readonly string[],
): OpenApiReport {
  return {
    title: textIn(member(root, "info"), "title") ?? source,
    operations: tools.length + leftOut.length,
    tools: tools.map(({ name }) => name),
    leftOut,
    notes,
  };
}
