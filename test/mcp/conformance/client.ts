/**
 * The client that the conformance suite judges: `mcp(...)` and nothing else. The suite starts it with the address of the
 * server as its last argument, and with MCP_CONFORMANCE_SCENARIO and MCP_CONFORMANCE_CONTEXT in its environment.
 */
import { executeToolCalls } from "skein";
import { mcp, type McpUrlOptions } from "skein/mcp";
import { offline } from "skein/offline";

interface Context {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: unknown }[];
}

const url = process.argv.at(-1) ?? "";
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const context: Context = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}");

/** A person who allows everything: the page's redirects are followed to where they lead. */
async function openBrowser(address: URL): Promise<void> {
  await (await fetch(address)).text();
}

/** How the client identifies itself: with what it was registered with by hand, if it was. */
function authOf(): NonNullable<McpUrlOptions["auth"]> {
  const { client_id: clientId, client_secret: clientSecret } = context;
  if (scenario === "auth/client-credentials-basic" && clientId !== undefined && clientSecret !== undefined)
    return { clientId, clientSecret };
  return {
    openBrowser,
    clientMetadataUrl: "https://conformance-test.local/client-metadata.json",
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
  };
}

/** What a schema says of itself, as far as the suite's tools do. */
interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
}

/** Something that fits a schema. */
function exampleOf({ type, properties = {}, required = [], enum: choices }: Shape = {}): unknown {
  if (choices) return choices[0];
  if (type === "number" || type === "integer") return 5;
  if (type === "boolean") return true;
  if (type === "array") return [];
  if (type !== "object") return "text";
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name])]));
}

await using server = mcp({
  url,
  required: true,
  auth: authOf(),
  roots: ["."],
  sampling: { model: offline(), approve: () => true },
  elicitation: () => ({ action: "accept", content: {} }),
});
const tools = await server.tools();
const calls =
  context.toolCalls ??
  tools.map(({ name, inputSchema }) => ({ name, arguments: exampleOf(inputSchema.jsonSchema) }));
const results = await executeToolCalls(
  calls.map(({ name, arguments: args }, index) => ({
    toolCallId: String(index),
    toolName: name,
    arguments: JSON.stringify(args),
  })),
  server,
);
for (const { toolName, outcome, content } of results) console.log(toolName, outcome, JSON.stringify(content));
if (results.some(({ outcome }) => outcome === "unknown-tool")) process.exitCode = 1;
