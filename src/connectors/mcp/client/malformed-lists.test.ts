import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mcp } from "./mcp.ts";
import type { McpToolset } from "./toolset.ts";

const offered = { context: {}, agent: undefined, messages: [] };
const simple = { inputSchema: { type: "object" } };

/** A server that answers `tools/list` with a result, without a network. */
function listing(
  result: unknown,
  options: { required?: boolean; trust?: "off"; lockFile?: string } = {},
): McpToolset {
  const initialize = {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "hostile", version: "1" },
  };
  const fetch = async (_url: string | URL, init?: RequestInit): Promise<Response> => {
    if (init?.method !== "POST") return new Response(null, { status: 405 });
    const { id, method } = await new Response(init.body).json();
    if (id === undefined) return new Response(null, { status: 202 });
    return Response.json({ jsonrpc: "2.0", id, result: method === "tools/list" ? result : initialize });
  };
  return mcp({ url: "https://mcp.example/mcp", name: "hostile", protocol: "legacy", fetch, ...options });
}

test.each([
  ["a text instead of tools", { tools: "x" }],
  ["nothing", null],
  ["no list", {}],
  ["a list", [{ name: "a", inputSchema: { type: "object" } }]],
  ["tools that are text or numbers", { tools: ["x", 1, null] }],
])("a server that lists %s has failed", async (_title, answer) => {
  const warnings: string[] = [];
  const tools = listing(answer);
  const warn = (message: string): void => void warnings.push(message);
  expect(await tools.tools({ ...offered, warn })).toEqual([]);
  expect(warnings).toEqual([expect.stringMatching(/"hostile"[^]*(?:malformed|Invalid input)/)]);
  await tools.close();
  const required = listing(answer, { required: true });
  await expect(required.tools(offered)).rejects.toThrow(/"hostile"[^]*(?:malformed|Invalid input)/);
  await expect(required.lock()).rejects.toMatchObject({
    name: "McpError",
    message: expect.stringMatching(/"hostile"[^]*(?:malformed|Invalid input)/),
  });
  await required.close();
});

test("a malformed tool is left out of the lock, and the others are locked", async () => {
  const lockFile = join(await mkdtemp(join(tmpdir(), "skein-lock-")), "skein.lock.json");
  const tools = listing(
    {
      tools: [
        { name: "one", ...simple },
        { name: "odd", inputSchema: 3 },
      ],
    },
    { lockFile },
  );
  await tools.lock();
  const { origins } = JSON.parse(await readFile(lockFile, "utf8"));
  expect(Object.keys(origins["mcp:hostile"])).toEqual(["one"]);
  await tools.close();
});

test.each([
  ["warn", {}],
  ["off", { trust: "off" as const }],
])(
  "a tool that is nested too deeply is left out alone (trust %s)",
  { timeout: 20_000 },
  async (_trust, options) => {
    for (const depth of [400, 800, 1_200]) {
      let inputSchema: object = { type: "object" };
      for (let level = 0; level < depth; level++)
        inputSchema = { type: "object", properties: { a: inputSchema } };
      const warnings: string[] = [];
      const all = [
        { name: "one", ...simple },
        { name: "deep", inputSchema },
        { name: "two", ...simple },
      ];
      const tools = listing({ tools: all }, options);
      const listed = await tools.tools({ ...offered, warn: (message) => void warnings.push(message) });
      expect([listed.map(({ name }) => name), warnings]).toEqual([
        ["one", "two"],
        [expect.stringMatching(/"deep".*nested too deeply/)],
      ]);
      await tools.close();
    }
  },
);
