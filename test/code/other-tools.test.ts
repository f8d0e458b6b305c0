/** Programs call the tools of servers and documents as they call functions. */
import { createServer } from "node:http";
import { expect, test } from "vitest";
import { ToolRegistry, tool } from "skein";
import { mcp, serveMcp } from "skein/mcp";
import { openapi } from "skein/openapi";
import { textsOf } from "../../src/code/test-run.ts";

/** A server of the protocol whose one tool has a typed result. */
async function lakeServer() {
  const count = tool({
    name: "count-geese",
    description: "Count the geese on a lake.",
    input: { type: "object", properties: { lake: { type: "string" } }, required: ["lake"] },
    output: { type: "object", properties: { geese: { type: "integer" } }, required: ["geese"] },
    execute: ({ lake }: { lake: string }) => ({ geese: lake.length }),
  });
  const serving = await serveMcp({ tools: [count] }, { transport: { http: { port: 0 } } });
  const lakes = mcp({ name: "lakes", url: serving.url ?? "" });
  return {
    lakes,
    close: async () => {
      await lakes.close();
      await serving.close();
    },
  };
}

/** A server with one operation, and the document that describes it. */
async function petServer() {
  const server = createServer((_, response) =>
    response.setHeader("content-type", "application/json").end('[{"name":"Rex"},{"name":"Ada"}]'),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const pet = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
  const document = {
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    servers: [{ url: `http://127.0.0.1:${port}` }],
    paths: {
      "/pets": {
        get: {
          operationId: "listPets",
          responses: {
            200: {
              description: "The pets.",
              content: { "application/json": { schema: { type: "array", items: pet } } },
            },
          },
        },
      },
    },
  };
  return {
    pets: openapi(document, { baseUrl: `http://127.0.0.1:${port}` }),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

test("a program calls tools of a server, of a document and of a registry", async () => {
  const { lakes, close } = await lakeServer();
  const { pets, close: closePets } = await petServer();
  const registry = new ToolRegistry().register(
    tool({
      name: "add",
      input: { type: "object", properties: {} },
      output: { type: "integer" },
      execute: () => 1,
    }),
  );
  const texts = await textsOf(
    [
      `const { geese } = await tools["count-geese"]({ lake: "Ontario" });
return [geese + 1, await tools.add()];`,
      'return (await tools["count-geese"]({ lake: 5 })).geese;',
      "return await tools.listPets();",
    ],
    [lakes, pets, registry],
    {},
  );
  expect(texts[0]).toBe("[8,1]");
  expect(texts[1]).toContain("Type 'number' is not assignable to type 'string'.");
  expect(texts[1]).toContain("The declaration: tools[");
  expect(texts[2]).toContain('[{"name":"Rex"},{"name":"Ada"}]');
  await close();
  await closePets();
});
