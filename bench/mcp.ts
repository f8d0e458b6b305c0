import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { executeToolCalls } from "skein";
import { mcp } from "skein/mcp";
import { medians, wallTime } from "./measure.ts";
import type { Row } from "./table.ts";

const calls = 2_000;
const concurrency = 8;
const program = {
  command: process.execPath,
  args: [fileURLToPath(new URL("mcp-server.ts", import.meta.url))],
};
const expected = "3";

/** What it costs to call a server's tool as an agent does, beside the official SDK's client alone. */
export async function mcpRows(): Promise<readonly Row[]> {
  const client = new Client({ name: "bare", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StdioClientTransport(program));
  await client.listTools();
  await using tools = mcp(program);
  const batch = Array.from({ length: calls }, (_, index) => ({
    toolCallId: String(index),
    toolName: "add",
    arguments: '{"a":1,"b":2}',
  }));
  const taken = await medians({
    floor: () => wallTime(() => callAll(client), 1),
    skein: () =>
      wallTime(async () => {
        const results = await executeToolCalls(batch, [tools], { concurrency });
        for (const { content } of results) {
          const [part] = content;
          if (part?.type !== "text" || part.text !== expected) throw new Error("a call failed");
        }
      }, 1),
  });
  await client.close();
  return [
    {
      what: "mcp: 2,000 calls over stdio, 8 at once",
      unit: "ms",
      floor: taken("floor"),
      skein: taken("skein"),
      limit: { of: "ratio", most: 1.3 },
    },
  ];
}

/** By hand: eight that each make the next call as soon as their last one is answered. */
async function callAll(client: Client): Promise<void> {
  let made = 0;
  const work = async (): Promise<void> => {
    while (made++ < calls) {
      const { content } = await client.callTool({ name: "add", arguments: { a: 1, b: 2 } });
      const [part] = content;
      if (part?.type !== "text" || part.text !== expected) throw new Error("a call failed");
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}
