import type { Tool as RemoteTool } from "@modelcontextprotocol/client";
import { demandedApproval } from "../../../tool/derived-policy.ts";
import type { ToolContext } from "../../../tool/tool-context.ts";
import type { Tool } from "../../../tool/types.ts";
import { withArgumentDefaults } from "../../../schema/argument-defaults.ts";
import { compileWithMatcher } from "../../../schema/compile-with-matcher.ts";
import type { JsonSchema } from "../../../schema/types.ts";
import { cleanName, cleanText } from "../../../base/util/clean-text.ts";
import { isForModel, uiOfTool } from "./app-tools.ts";
import { withoutDefaulted } from "./defaults.ts";
import { defaultMaxTools, noDeadline } from "./limits.ts";
import type { OpenConnection } from "./connection.ts";
import { listRemote } from "./list-remote.ts";
import type { ServerScope } from "./scope.ts";
import type { McpClientOptions } from "./types.ts";
import { visibleSchema } from "./visible-schema.ts";
import { usableSchema } from "./validator.ts";

/** The longest description of a tool, and of one of its parameters, in characters. */
const longestDescription = 4_000;

/** The longest schema of a tool, in characters of JSON. */
const longestSchema = 100_000;

const anyObject: JsonSchema = { type: "object" };

/** Calls a tool of the server. */
export type CallRemote = (tool: RemoteTool, input: unknown, context: ToolContext) => Promise<unknown>;

/** A tool as the server lists it, and as it is here. */
export interface ListedTool {
  readonly remote: RemoteTool;
  /** What the server says of it, as JSON: the same text is the same tool. */
  readonly text: string;
  readonly tool: Tool;
}

/**
 * The tools of a server, cleaned and within bounds; what was left out or changed is reported. Tools that are as they were
 * in `before` stay the same objects.
 */
export async function listTools(
  { client, sdk }: OpenConnection,
  options: McpClientOptions,
  scope: ServerScope,
  call: CallRemote,
  before: readonly ListedTool[],
  signal?: AbortSignal,
): Promise<readonly ListedTool[]> {
  if (!client.getServerCapabilities()?.tools) return [];
  const listed = await listRemote(sdk, client, { timeout: noDeadline, ...(signal && { signal }) }, scope);
  const accepted = distinct(within(listed, options.maxTools ?? defaultMaxTools, scope), scope);
  const { judgeTools } = await import("../trust/index.ts");
  const judged = await judgeTools(accepted, options, scope, listed);
  const previous = new Map(before.map((entry) => [entry.text, entry]));
  return judged
    .filter(({ tool }) => isForModel(tool))
    .map(({ tool: remote, approval = false }) => {
      const text = JSON.stringify([remote, approval]);
      return previous.get(text) ?? { remote, text, tool: toTool(remote, approval, options, scope, call) };
    });
}

function within(
  tools: readonly RemoteTool[],
  limit: number,
  { server, warn }: ServerScope,
): readonly RemoteTool[] {
  if (tools.length <= limit) return tools;
  warn(
    `The MCP server "${server}" lists more than ${limit} tools; only the first ${limit} are taken. Raise maxTools, or use deferred() for large sets of tools.`,
  );
  return tools.slice(0, limit);
}

function distinct(tools: readonly RemoteTool[], { server, warn }: ServerScope): readonly RemoteTool[] {
  const names = new Set<string>();
  return tools.filter((tool) => {
    const name = cleanName(tool.name);
    const isNew = name !== "" && !names.has(name);
    if (name === "") warn(`The MCP server "${server}" lists a tool without a name, which is left out.`);
    else if (!isNew) warn(`The MCP server "${server}" lists two tools "${name}"; only the first is taken.`);
    names.add(name);
    return isNew;
  });
}

function toTool(
  remote: RemoteTool,
  approval: boolean,
  { timeout, apps }: McpClientOptions,
  scope: ServerScope,
  call: CallRemote,
): Tool {
  const { title = remote.annotations?.title, outputSchema } = remote;
  const description = cleanText(remote.description ?? "", longestDescription);
  const name = cleanName(remote.name);
  const input = cleanSchema(remote.inputSchema);
  if (!input) {
    scope.warn(
      `The tool "${name}" of the MCP server "${scope.server}" has an input schema that cannot be used (too long, malformed, or with a reference to elsewhere); any object is accepted.`,
    );
  }
  const { schema, defaults } = withoutDefaulted(input ?? anyObject);
  const output = outputSchema && cleanSchema(outputSchema);
  const ui = apps === false ? undefined : uiOfTool(remote, scope);
  return {
    name,
    ...(description !== "" && { description }),
    // As a function's own defaults: what decides about a call sees what is sent.
    inputSchema: withArgumentDefaults(compileWithMatcher(schema, { formats: "annotate" }), defaults),
    ...(output && { outputSchema: compileWithMatcher(output, { formats: "annotate" }) }),
    annotations: { ...(title !== undefined && { title: cleanName(title) }), ...(ui && { ui }) },
    policy: { ...(timeout !== undefined && { timeout }), ...(approval && { approval: demandedApproval }) },
    execute: (args, context) => call(remote, args, context),
  };
}

/** A copy of the schema of which all can be seen; `undefined` for one that cannot be used. */
function cleanSchema(schema: JsonSchema): JsonSchema | undefined {
  try {
    const text = JSON.stringify(schema);
    if (text.length > longestSchema) return undefined;
    const copy: JsonSchema = JSON.parse(text);
    const cleaned = visibleSchema(copy, longestDescription);
    return usableSchema(cleaned) && cleaned;
  } catch {
    // Nested so deeply that it cannot be written.
    return undefined;
  }
}
