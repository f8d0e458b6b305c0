/**
 * The client that the conformance suite judges: `mcp(...)` and nothing else. The suite starts it with the address of the
 * server as its last argument, and with MCP_CONFORMANCE_SCENARIO and MCP_CONFORMANCE_CONTEXT in its environment.
 */
import { PrivateKeyJwtProvider } from "@modelcontextprotocol/client";
import { executeToolCalls } from "skein";
import { mcp, type McpUrlOptions } from "skein/mcp";
import { offline } from "skein/offline";
import { Agent, setGlobalDispatcher } from "undici";

// A connection for each request: with all clients at the same time, seconds may pass between two, and the suite's servers close what is idle.
setGlobalDispatcher(new Agent({ pipelining: 0 }));

interface Context {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly private_key_pem?: string;
  readonly signing_algorithm?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: unknown }[];
}

const url = process.argv.at(-1) ?? "";
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const context: Context = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}");

/** A person who allows everything: the page's redirects are followed to where they lead. */
async function openBrowser(address: URL): Promise<void> {
  const page = await fetch(address);
  if (!page.ok) throw new Error(`the page for users answered with ${page.status}`);
}

/** How the client identifies itself: with what it was registered with by hand, if it was. */
function authOf(): NonNullable<McpUrlOptions["auth"]> {
  const { client_id: clientId, client_secret: clientSecret } = context;
  if (scenario === "auth/client-credentials-basic" && clientId !== undefined && clientSecret !== undefined)
    return { clientId, clientSecret };
  const { private_key_pem: privateKey, signing_algorithm: algorithm = "ES256" } = context;
  if (scenario === "auth/client-credentials-jwt" && clientId !== undefined && privateKey !== undefined)
    return new PrivateKeyJwtProvider({ clientId, privateKey, algorithm });
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
  // The suite starts the clients of all its scenarios at the same time.
  connectTimeout: 120_000,
  auth: authOf(),
  roots: ["."],
  sampling: { model: offline(), approve: () => true },
  elicitation: () => ({ action: "accept", content: {} }),
});
const tools = await server.tools();

/** What a tool is called with. */
function argumentsOf({ name, inputSchema }: (typeof tools)[number]): unknown {
  // It wants to see what is left of another tool's schema.
  if (name !== "json_schema_echo") return exampleOf(inputSchema.jsonSchema);
  return { schema: tools.find((other) => other.name === "json_schema_2020_12_tool")?.inputSchema.jsonSchema };
}

const calls =
  context.toolCalls ?? tools.map((listed) => ({ name: listed.name, arguments: argumentsOf(listed) }));
const results = await executeToolCalls(
  calls.map(({ name, arguments: args }, index) => ({
    toolCallId: String(index),
    toolName: name,
    arguments: JSON.stringify(args),
  })),
  server,
);
for (const { toolName, outcome, content } of results)
  process.stdout.write(`${toolName} ${outcome} ${JSON.stringify(content)}\n`);
