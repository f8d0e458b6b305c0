import { afterEach, expect, test } from "vitest";
import { toolset } from "../../index.ts";
import { openapi, type OpenApiOptions, type OpenApiToolset } from "./index.ts";
import { call, serve, type TestServer, textOf } from "./test-api-server.ts";
import { documentOf } from "./test-documents.ts";

let server: TestServer | undefined;

afterEach(() => server?.close());

async function answering(
  status: number,
  headers: Record<string, string>,
  body: string | Uint8Array,
  options: OpenApiOptions = {},
  operation: object = {},
): Promise<OpenApiToolset> {
  server = await serve((_request, response) => void response.writeHead(status, headers).end(body));
  return openapi(documentOf(operation), { baseUrl: server.url, ...options });
}

const json = { "content-type": "application/json; charset=utf-8" };

test("JSON is a value", async () => {
  const result = await call(await answering(200, json, '{"a":[1]}'), "ask", {});
  expect(result).toMatchObject({
    structuredContent: { a: [1] },
    content: [{ text: '{"a":[1]}' }],
    isError: false,
  });
});

test("what says how to go on stands beside it", async () => {
  const headers = { ...json, link: '<https://a.example/?page=2>; rel="next"' };
  const result = await call(await answering(200, headers, "[1]"), "ask", {});
  expect(result.structuredContent).toEqual([1]);
  expect(textOf(result)).toBe('[1]\nlink: <https://a.example/?page=2>; rel="next"');
});

test.each([
  ["no content", 204, { location: "/things/5" }, "", "204 No Content\nlocation: /things/5"],
  ["text", 200, { "content-type": "text/plain; charset=iso-8859-1" }, Buffer.from([0xe4]), "ä"],
  ["text without a type", 200, {}, "plain", "plain"],
  ["JSON that is none", 200, json, "{broken", "{broken\n[the server says that this is JSON, and it is not]"],
  ["a line of JSON each", 200, { "content-type": "application/x-ndjson" }, "[1]\n[2]", "[1]\n[2]"],
  ["a picture that models cannot see", 200, { "content-type": "image/svg+xml" }, "<svg/>", "<svg/>"],
  [
    "an archive",
    200,
    { "content-type": "application/zip" },
    "PK12",
    "[4 bytes of application/zip, which cannot be shown]",
  ],
  ["a picture", 200, { "content-type": "image/png" }, Buffer.from([1, 2]), "[image]"],
  ["a PDF file", 200, { "content-type": "application/pdf" }, "%PDF", "[file]"],
] as const)("%s is shown as it can be", async (_what, status, headers, body, shown) => {
  const result = await call(await answering(status, headers, body), "ask", {});
  expect(textOf(result)).toBe(shown);
  expect(result.isError).toBe(false);
});

test("without a body the headers say what there is", async () => {
  server = await serve((_request, response) => {
    response.writeHead(200, { "content-type": "image/png", "content-length": "1234", etag: '"v1"' }).end();
  });
  const document = documentOf({}, { method: "head" });
  expect(textOf(await call(openapi(document, { baseUrl: server.url }), "ask", {}))).toBe(
    '200 OK\ncontent-type: image/png\ncontent-length: 1234\netag: "v1"',
  );
});

test("a picture is an image part", async () => {
  const result = await call(
    await answering(200, { "content-type": "image/png" }, Buffer.from([1, 2])),
    "ask",
    {},
  );
  expect(result.content).toEqual([{ type: "image", url: "data:image/png;base64,AQI=" }]);
});

test("a long answer is cut to what the options say, and to what is read at all", async () => {
  const api = await answering(200, json, JSON.stringify({ text: "x".repeat(50_000) }), {
    maxResultChars: 1_000,
  });
  const shown = textOf(await call(api, "ask", {}));
  expect(shown.length).toBeLessThan(1_200);
  expect(shown).toMatch(/of 50011 characters left out/);
  await server?.close();
  const huge = await answering(200, json, `["${"x".repeat(10_000_100)}"]`, { maxResultChars: 10_000_000 });
  const result = await call(huge, "ask", {});
  expect(result.structuredContent).toBeUndefined();
  expect(textOf(result)).toMatch(/cut here: the answer is longer than 10000000 bytes/);
});

test("an error contains the status, the body and when to retry", async () => {
  const api = await answering(429, { ...json, "retry-after": "7" }, '{"error":"slow down"}');
  const result = await call(api, "ask", {});
  expect(result.isError).toBe(true);
  expect(textOf(result)).toBe(
    'ask failed: 429 Too Many Requests (try again after 7 s): {"error":"slow down"}',
  );
});

test("an error's long body is cut", async () => {
  const shown = textOf(await call(await answering(500, json, "x".repeat(100_000)), "ask", {}));
  expect(shown.length).toBeLessThan(3_200);
});

test("what may pass can be tried again by a policy", async () => {
  let calls = 0;
  server = await serve((_request, response) => {
    calls += 1;
    response.writeHead(calls < 3 ? 503 : 200).end("at last");
  });
  const api = toolset(openapi(documentOf({}), { baseUrl: server.url })).withPolicy({
    retries: { times: 2, delay: 1 },
  });
  expect(textOf(await call(api, "ask", {}))).toBe("at last");
});

test("validates answers against the document's schemas, if configured", async () => {
  const schema = {
    type: "object",
    required: ["id", "password"],
    properties: {
      id: { type: "integer" },
      password: { type: "string", writeOnly: true },
      when: { format: "strange" },
    },
  };
  const operation = {
    responses: {
      "2XX": { description: "", content: { "application/json": { schema } } },
      default: { description: "" },
    },
  };
  const wrong = await answering(200, json, '{"id":"five"}', { validateResponses: true }, operation);
  expect(textOf(await call(wrong, "ask", {}))).toMatch(
    /ask failed: the answer \(200\) does not have the form that the API's document says: \$\.id: expected an integer/,
  );
  await server?.close();
  const right = await answering(200, json, '{"id":5,"when":"x"}', { validateResponses: true }, operation);
  expect((await call(right, "ask", {})).structuredContent).toEqual({ id: 5, when: "x" });
  await server?.close();
  const unchecked = await answering(200, json, '{"id":"five"}', {}, operation);
  expect((await call(unchecked, "ask", {})).isError).toBe(false);
});

test.each(["*/*", "application/*", "*/*;charset=utf-8"])(
  "JSON of a documented type %s is held to its schema, too",
  async (type) => {
    const schema = { type: "object", properties: { id: { type: "integer" } } };
    const operation = { responses: { 200: { description: "", content: { [type]: { schema } } } } };
    const wrong = await answering(200, json, '{"id":"five"}', { validateResponses: true }, operation);
    expect(textOf(await call(wrong, "ask", {}))).toContain("$.id: expected an integer");
    await server?.close();
    const text = await answering(
      200,
      { "content-type": "text/plain" },
      "five",
      { validateResponses: true },
      operation,
    );
    expect(textOf(await call(text, "ask", {}))).toBe("five");
  },
);

test.each([true, false])(
  "keeps integers that JavaScript cannot hold, as texts (validated: %s)",
  async (validateResponses) => {
    const schema = { type: "object", properties: { id: { type: "integer", format: "int64" } } };
    const operation = {
      responses: { 200: { description: "", content: { "application/json": { schema } } } },
    };
    const body = '{"id":1234567890123456789,"count":9007199254740991,"name":"Rex"}';
    const api = await answering(200, json, body, { validateResponses }, operation);
    const { content, structuredContent } = await call(api, "ask", {});
    const value = { id: "1234567890123456789", count: 9_007_199_254_740_991, name: "Rex" };
    expect(structuredContent).toEqual(value);
    expect(content).toEqual([{ type: "text", text: JSON.stringify(value) }]);
  },
);

test("takes such an integer back where a parameter wants one, in the address and in lists", async () => {
  const schema = { type: "integer", format: "int64", minimum: 1 };
  const parameters = [
    { name: "id", in: "query", required: true, schema },
    { name: "ids", in: "query", schema: { type: "array", items: schema } },
  ];
  const api = await answering(200, json, "{}", {}, { parameters });
  const answerTo = async (args: object): Promise<string> => {
    const { isError } = await call(api, "ask", args);
    return isError ? "refused" : (server?.requests.at(-1) ?? "").split("\n", 1).join();
  };
  const id = "1234567890123456789";
  expect(await answerTo({ id, ids: [id, 7] })).toMatch(
    /\?id=1234567890123456789&ids=1234567890123456789&ids=7$/,
  );
  expect(await answerTo({ id: 7 })).toMatch(/\?id=7$/);
  expect(await answerTo({ id: "7" })).toMatch(/\?id=7$/);
  expect(await answerTo({ id: "seven" })).toBe("refused");
  expect(await answerTo({ id: 0 })).toBe("refused");
});
