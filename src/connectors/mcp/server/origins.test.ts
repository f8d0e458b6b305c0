import { InMemoryTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";
import { mcpHandler, serveMcp } from "./serve-mcp.ts";
import { newClient } from "./test-clients.ts";

/** Doubles a number. */
function twice(n: number): number {
  return n * 2;
}

/** Joins two texts. */
function join(left: string, right: string): string {
  return left + right;
}

function logged<A extends unknown[], R>(fn: (...args: A) => R): (...args: A) => R {
  return (...args) => fn(...args);
}

test("serveMcp describes tools by the expressions that its call passes on", async () => {
  const [here, there] = InMemoryTransport.createLinkedPair();
  await serveMcp({ tools: [logged(twice)] }, { transport: here });
  const client = newClient("2025-11-25");
  await client.connect(there);
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  expect(tools).toMatchObject([{ name: "twice", inputSchema: { properties: { n: { type: "number" } } } }]);
});

test("so does mcpHandler", async () => {
  const handler = await mcpHandler({ tools: { concatenate: logged(join) } });
  onTestFinished(() => handler.close());
  const client = newClient("2025-11-25");
  const url = new URL("http://localhost/mcp");
  const fetch = (input: string | URL, init?: RequestInit): Promise<Response> =>
    handler.fetch(
      new Request(input, {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init?.headers)), host: "localhost" },
      }),
    );
  await client.connect(new StreamableHTTPClientTransport(url, { fetch }));
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  expect(tools).toMatchObject([
    {
      name: "concatenate",
      inputSchema: { properties: { left: { type: "string" }, right: { type: "string" } } },
    },
  ]);
});
