import { expect, test } from "vitest";
import { Agent, run, toolset } from "../../index.ts";
import { ScriptedModel } from "../../testing/index.ts";
import { openapi, type OpenApiOptions } from "./index.ts";
import { serve } from "./test-api-server.ts";

const document = {
  openapi: "3.1.0",
  info: { title: "Shop" },
  servers: [{ url: "https://shop.example" }],
  paths: {
    "/pets": {
      get: { operationId: "listPets", tags: ["pets"], summary: "List all pets" },
      post: { operationId: "addPet", tags: ["pets", "admin"] },
      options: { operationId: "allowed" },
    },
    "/pets/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
      delete: { operationId: "removePet", tags: ["admin"] },
      head: { operationId: "hasPet" },
    },
    "/old": { get: { operationId: "oldList", deprecated: true } },
  },
};

const namesWith = async (options: OpenApiOptions): Promise<readonly string[]> =>
  (await openapi(document, options).report()).tools;

test.each([
  [{}, ["listPets", "addPet", "allowed", "removePet", "hasPet"]],
  [{ deprecated: true, include: ["GET *"] }, ["listPets", "oldList"]],
  [{ include: ["listPets", "DELETE /pets/{id}"] }, ["listPets", "removePet"]],
  [{ include: ["/pets/*"] }, ["removePet", "hasPet"]],
  [{ include: [/^list/i] }, ["listPets"]],
  [{ include: [/pets$/giy], exclude: ["*Pet"] }, ["listPets", "allowed"]],
  [{ exclude: ({ method }) => method !== "GET" }, ["listPets"]],
  [{ tags: ["admin"] }, ["addPet", "removePet"]],
] satisfies [OpenApiOptions, string[]][])("%o chooses operations", async (options, names) => {
  expect(await namesWith(options)).toEqual(names);
});

test("what the options leave out is reported with its reason", async () => {
  const { leftOut, operations } = await openapi(document, {
    include: ["listPets", "addPet", "oldList"],
    tags: ["pets"],
    exclude: ["addPet"],
  }).report();
  expect(operations).toBe(6);
  expect(leftOut.map(({ operationId, reason }) => `${operationId}: ${reason}`)).toEqual([
    "addPet: the option exclude leaves it out",
    "allowed: it is not among those of the option include",
    "removePet: it is not among those of the option include",
    "hasPet: it is not among those of the option include",
    "oldList: it has none of the tags of the option tags",
  ]);
});

test("options that leave nothing are an error that says why", async () => {
  await expect(namesWith({ include: ["listPet"] })).rejects.toThrow(
    "has no operation that can be a tool. Of 6, the first is GET /pets: it is not among those of the option include.",
  );
});

test.each([
  ["writes", ["addPet", "removePet"]],
  ["none", []],
  ["all", ["listPets", "addPet", "allowed", "removePet", "hasPet"]],
] as const)("with approval %s these calls wait for a person: %o", async (approval, asking) => {
  const tools = await openapi(document, { approval }).tools();
  expect(tools.filter(({ policy }) => policy.approval).map(({ name }) => name)).toEqual(asking);
});

test("writes wait for a person by default, and a run goes on with the decision", async () => {
  const server = await serve((_request, response) => void response.end("done"));
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "removePet", arguments: { id: "7" } }] },
    "Gone.",
  ]);
  const agent = new Agent({ name: "Clerk", model, tools: [openapi(document, { baseUrl: server.url })] });
  const paused = await run(agent, "Remove 7");
  expect(paused.status).toBe("paused");
  expect(server.requests).toEqual([]);
  const approvalId = paused.pending[0]?.approvalId ?? "";
  const done = await run(agent, paused.state, { approvals: [{ approvalId, decision: "approve" }] });
  expect(done.text).toBe("Gone.");
  expect(server.requests).toEqual(["DELETE /pets/7"]);
  await server.close();
});

test("descriptions, titles, tags and policies are the tools'", async () => {
  const [tool] = await openapi(document, { timeout: 5_000, maxResultChars: 100 }).tools();
  expect(tool).toMatchObject({
    description: "List all pets.",
    annotations: { title: "List all pets", tags: ["pets"] },
    policy: { timeout: 5_000, maxResultChars: 100 },
  });
});

test("a thousand operations are found by a search, one by one", async () => {
  const server = await serve((_request, response) => void response.end("refunded"));
  const paths = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, index) => [
      `/thing${index}`,
      { get: { summary: `Show thing number ${index}` } },
    ]),
  );
  const large = {
    openapi: "3.1.0",
    paths: { ...paths, "/refunds": { get: { operationId: "refund", summary: "Refund a payment" } } },
  };
  const tools = [toolset(openapi(large, { baseUrl: server.url })).deferred({ limit: 2 })];
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "search_tools", arguments: { query: "refund payment" } }] },
    { toolCalls: [{ toolName: "refund", arguments: {} }] },
    "Done.",
  ]);
  expect((await run(new Agent({ name: "Clerk", model, tools }), "Refund it")).text).toBe("Done.");
  expect(model.requests.map((request) => request.tools?.map(({ name }) => name))).toEqual([
    ["search_tools"],
    ["search_tools", "refund", "read_result"],
    ["search_tools", "refund", "read_result"],
  ]);
  expect(server.requests).toEqual(["GET /refunds"]);
  await server.close();
});

test("two APIs stand side by side under names of their own", async () => {
  const both = toolset([openapi(document), openapi(document, { name: "second", include: ["listPets"] })]);
  const tools = await both.tools({ context: {}, agent: undefined, messages: [] });
  expect(tools.map(({ name }) => name)).toEqual([...(await namesWith({})), "second_listPets"]);
});

test.each([
  [{ baseURL: "https://a.example" }, /has no option "baseURL". Did you mean "baseUrl"/],
  [{ approval: "some" }, /approval of openapi\(\) must be/],
  [{ baseUrl: "a.example" }, /baseUrl of openapi\(\) must be an http: or https: address/],
  [{ baseUrl: "ftp://a.example" }, /baseUrl/],
  [{ headers: { "x y": "1" } }, /header "x y" of openapi\(\) cannot be sent/],
  [{ include: "GET *" }, /include of openapi\(\) must be a list\.$/],
  [{ tags: "pets" }, /tags of openapi\(\) must be a list\.$/],
  [{ headers: { key: "secret\n" } }, /header "key" of openapi\(\) cannot be sent as it is\.$/],
])("%o is refused at once", (options, message) => {
  expect(() => openapi(document, options as OpenApiOptions)).toThrow(message);
});

test.each([undefined, null, 5, ""])("%o is not a document, and refused at once", (source) => {
  expect(() => openapi(source as never)).toThrow(/^openapi\(\) takes a file, an address,/);
});

test.each(["shop.example", "ftp://shop.example", "https://user@shop.example", "https://:word@shop.example"])(
  "the address %s is not a baseUrl",
  (baseUrl) => {
    expect(() => openapi(document, { baseUrl })).toThrow(/baseUrl of openapi\(\) must be/);
  },
);

test.each(["https://shop.example/v1?version=2", "https://shop.example/#pets"])(
  "the query or fragment of %s is refused, not dropped",
  (baseUrl) => {
    expect(() => openapi(document, { baseUrl })).toThrow(/without .* a query and a fragment: keys go into/);
  },
);
