/** Lists and objects that are written as one text, whose items hold what stands between them. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openapi } from "./index.ts";
import { call, serve, type TestServer, textOf } from "./test-api-server.ts";
import { documentOf } from "./test-documents.ts";

let server: TestServer;
beforeAll(async () => {
  server = await serve((_request, response) => void response.end("{}"));
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
});

/** The request for a value of the argument `v`, or why there is none. */
async function requestFor(operation: object, args: object, method = "get", path = "/ask"): Promise<string> {
  const set = openapi(documentOf(operation, { method, path }), {
    baseUrl: server.url,
    allowPrivateAddresses: true,
    approval: "none",
  });
  const result = await call(set, "ask", args);
  return server.requests[0] ?? textOf(result);
}

/** How the parameter `v` is written. */
interface How {
  readonly in: string;
  readonly style?: string;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
}

function parameter(how: How, v: unknown): Promise<string> {
  const path = how.in === "path" ? "/ask/{v}" : "/ask";
  return requestFor({ parameters: [{ name: "v", required: true, schema: {}, ...how }] }, { v }, "get", path);
}

const query = { in: "query", explode: false };

test.each<readonly [how: How, value: unknown, part: string, delimiter: string]>([
  [{ ...query, style: "pipeDelimited" }, ["a|b", "c"], 'the item "a|b"', "|"],
  [{ ...query, style: "pipeDelimited" }, ["c", "a|b"], 'the item "a|b"', "|"],
  [{ ...query, style: "pipeDelimited", allowReserved: true }, ["a%7cb"], 'the item "a%7cb"', "|"],
  [{ ...query, style: "spaceDelimited" }, ["New York"], 'the item "New York"', " "],
  [{ ...query, style: "spaceDelimited" }, { a: "b c" }, 'the property "a" with "b c"', " "],
  [{ ...query, allowReserved: true }, ["a,b", "c"], 'the item "a,b"', ","],
  [{ ...query, allowReserved: true }, { "a,b": 1 }, 'the property "a,b" with "1"', ","],
  [{ in: "header" }, ["a,b", "c"], 'the item "a,b"', ","],
  [{ in: "header" }, [{ a: 1, b: 2 }], String.raw`the item "{\"a\":1,\"b\":2}"`, ","],
  [{ in: "header", explode: true }, { role: "a,admin=1" }, 'the property "role" with "a,admin=1"', ","],
  [{ in: "header", explode: true }, { "role=admin": 1 }, 'the property "role=admin" with "1"', "="],
  [{ in: "path", style: "label", explode: true }, ["a.b"], 'the item "a.b"', "."],
])("%j does not send %j as more than it is", async (how, value, part, delimiter) => {
  expect(await parameter(how, value)).toContain(
    `v has ${part}, which holds ${JSON.stringify(delimiter)}: that stands between its items`,
  );
  expect(server.requests).toEqual([]);
});

test.each<readonly [how: How, value: unknown, request: string]>([
  [query, ["a,b", "c"], "GET /ask?v=a%2Cb,c"],
  [{ ...query, allowReserved: true }, ["a%2Cb", "c"], "GET /ask?v=a%2Cb,c"],
  [{ ...query, style: "pipeDelimited" }, ["a,b", "c d"], "GET /ask?v=a%2Cb%7Cc%20d"],
  [{ ...query, style: "pipeDelimited" }, "a|b", "GET /ask?v=a%7Cb"],
  [{ in: "query", style: "pipeDelimited", explode: true }, ["a|b"], "GET /ask?v=a%7Cb"],
  [{ in: "path" }, ["a,b", "c"], "GET /ask/a%2Cb,c"],
  [{ in: "path", style: "label" }, ["a.b", "c"], "GET /ask/.a.b,c"],
  [{ in: "path", style: "label", explode: true }, "a.b", "GET /ask/.a.b"],
  [{ in: "header" }, "a,b", "v: a,b"],
  [{ in: "header" }, { role: "a=b" }, "v: role,a=b"],
  [{ in: "header", explode: true }, { role: "a=b" }, "v: role=a=b"],
])("%j sends %j as it is", async (how, value, request) => {
  expect(`${await parameter(how, value)}\n`).toContain(`${request}\n`);
});

test.each([
  ["application/x-www-form-urlencoded", "pipeDelimited", ["a|b"], "|"],
  ["application/x-www-form-urlencoded", "spaceDelimited", ["a b"], " "],
  ["multipart/form-data", "form", ["a,b"], ","],
  ["multipart/form-data", "pipeDelimited", ["a|b"], "|"],
])(
  "a field of %s with the style %s does not send %j as more than it is",
  async (type, style, v, delimiter) => {
    const schema = { type: "object", properties: { v: { type: "array" } } };
    const media = { schema, encoding: { v: { style, explode: false } } };
    expect(
      await requestFor({ requestBody: { content: { [type]: media } } }, { body: { v } }, "post"),
    ).toContain(`body.v has the item ${JSON.stringify(v[0])}, which holds ${JSON.stringify(delimiter)}`);
    expect(server.requests).toEqual([]);
  },
);

test("a cookie does not begin another one, whatever the document says of reserved characters", async () => {
  expect(await parameter({ in: "cookie", allowReserved: true }, "a;sid=b")).toContain(
    "cookie: v=a%3Bsid%3Db",
  );
});

test.each<readonly [how: How, value: unknown]>([
  [{ in: "query" }, [1, null, 3]],
  [{ in: "query" }, [null]],
  [query, ["a", null]],
  [{ in: "query", style: "deepObject" }, { a: [1, null] }],
  [{ in: "path" }, ["a", null]],
  [{ in: "header" }, ["a", null]],
  [{ in: "cookie", explode: false }, ["a", null]],
])("an item null is not dropped in silence: %j with %j", async (how, value) => {
  expect(await parameter(how, value)).toContain(
    "v has the item null, which cannot be written there: leave it out",
  );
});

test("an item null is dropped by no field of a form either, and stays in JSON", async () => {
  const form = (encoding: object): object => ({
    requestBody: {
      content: {
        "application/x-www-form-urlencoded": {
          schema: { type: "object", properties: { v: {} } },
          encoding: { v: encoding },
        },
      },
    },
  });
  const body = { v: [1, null] };
  expect(await requestFor(form({ style: "form" }), { body }, "post")).toContain("body.v has the item null");
  server.requests.length = 0;
  expect(await requestFor(form({ contentType: "application/json" }), { body }, "post")).toContain(
    "v=%5B1%2Cnull%5D",
  );
  server.requests.length = 0;
  const json = { parameters: [{ name: "v", in: "query", content: { "application/json": {} } }] };
  expect(await requestFor(json, { v: [1, null] })).toBe("GET /ask?v=%5B1%2Cnull%5D");
  server.requests.length = 0;
  expect(await parameter({ in: "query" }, { a: 1, b: null })).toBe("GET /ask?a=1");
});
