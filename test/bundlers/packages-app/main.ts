/** Uses every package that is optional and belongs into a bundle, and prints what each came to. */
import { Agent, tool } from "skein";
import { restateRuns } from "skein/durable/restate";
import { mcp, serveMcp } from "skein/mcp";
import { openapi } from "skein/openapi";
import { serve } from "skein/server";
import { ScriptedModel } from "skein/testing";

const add = tool({ name: "add", description: "Adds.", input: { type: "object" }, execute: () => 3 });
const agent = new Agent({ name: "A", model: new ScriptedModel(["hello"]) });

async function listServed(): Promise<readonly string[]> {
  const server = await serveMcp({ tools: [add] }, { transport: { http: { port: 0 } } });
  const tools = mcp({ url: server.url ?? "", required: true });
  const names = (await tools.tools()).map(({ name }) => name);
  await tools.close();
  await server.close();
  return names;
}

async function listProgram(): Promise<readonly string[]> {
  await using tools = mcp({
    command: process.execPath,
    args: [process.argv[1] ?? "", "serve"],
    required: true,
  });
  return (await tools.tools()).map(({ name }) => name);
}

async function listDocument(): Promise<readonly string[]> {
  const text =
    "openapi: 3.0.0\ninfo: { title: x, version: '1' }\npaths:\n  /a:\n    get: { operationId: a, responses: {} }\n";
  return (await openapi(text, { baseUrl: "http://127.0.0.1:1" }).tools()).map(({ name }) => name);
}

async function readCard(): Promise<unknown> {
  const app = serve({ a: agent }, { protocols: ["a2a"] });
  const response = await app.fetch(new Request("http://127.0.0.1/.well-known/agent-card.json"));
  await app.close();
  const card: { readonly name?: string } = await response.json();
  return card.name;
}

async function countServices(): Promise<number> {
  return (await restateRuns({ agents: [agent], ingress: "http://127.0.0.1:1" }).services()).length;
}

/** What a use came to, or the code of its error. */
async function outcome(use: () => Promise<unknown>): Promise<unknown> {
  try {
    return await use();
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : String(error);
  }
}

if (process.argv[2] === "serve") {
  await serveMcp({ tools: [add] }, { transport: "stdio" });
} else {
  const uses = { listServed, listProgram, listDocument, readCard, countServices };
  const entries = await Promise.all(
    Object.entries(uses).map(async ([name, use]) => [name, await outcome(use)] as const),
  );
  process.stdout.write(JSON.stringify(Object.fromEntries(entries)));
}
