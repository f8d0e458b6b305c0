/** The fields of forms as their encodings say, and as OpenAPI says of fields without one. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openapi } from "./index.ts";
import { call, serve, type TestServer, textOf } from "./test-api-server.ts";
import { documentOf } from "./test-documents.ts";

let server: TestServer;
beforeAll(async () => {
  server = await serve((_request, response) => void response.end("{}"));
});
afterAll(() => server.close());

const color = { type: "object", properties: { R: { type: "integer" }, G: { type: "integer" } } };
const list = { type: "array", items: { type: "string" } };
const urlencoded = "application/x-www-form-urlencoded";

/** An operation that takes a form with the field `v`, and one with the name `other`. */
function formOf(
  schema: object,
  encoding: object | undefined,
  { mediaType = urlencoded, openapi: version = "3.1.0" } = {},
) {
  const properties = { v: schema, other: { type: "string" } };
  const media = { schema: { type: "object", properties }, ...(encoding && { encoding: { v: encoding } }) };
  const requestBody = { content: { [mediaType]: media } };
  const document = documentOf({ requestBody }, { method: "post", openapi: version });
  return openapi(document, { baseUrl: server.url, allowPrivateAddresses: true, approval: "none" });
}

async function sentOf(set: ReturnType<typeof formOf>, body: object): Promise<string> {
  server.requests.length = 0;
  const result = await call(set, "ask", { body });
  expect(result, textOf(result)).toMatchObject({ isError: false });
  return server.requests.at(-1)?.split("\n\n").slice(1).join("\n\n") ?? "";
}

const rgb = { R: 100, G: 200 };

test.each<readonly [string, object, object | undefined, unknown, string]>([
  ["an object without an encoding is JSON", color, undefined, rgb, "v=%7B%22R%22%3A100%2C%22G%22%3A200%7D"],
  ["an object with style form", color, { style: "form" }, rgb, "R=100&G=200"],
  ["an object with explode", color, { explode: true }, rgb, "R=100&G=200"],
  ["an object with style form and explode", color, { style: "form", explode: true }, rgb, "R=100&G=200"],
  ["an object without explode", color, { style: "form", explode: false }, rgb, "v=R,100,G,200"],
  [
    "an object with style deepObject",
    color,
    { style: "deepObject", explode: true },
    rgb,
    "v%5BR%5D=100&v%5BG%5D=200",
  ],
  [
    "an object whose media type is ignored for its style",
    color,
    { style: "form", contentType: "application/json" },
    rgb,
    "R=100&G=200",
  ],
  [
    "an object with a media type",
    color,
    { contentType: "application/json" },
    rgb,
    "v=%7B%22R%22%3A100%2C%22G%22%3A200%7D",
  ],
  ["an empty object", color, { style: "form" }, {}, ""],
  ["a list without an encoding is repeated", list, undefined, ["a b", "c&d"], "v=a+b&v=c%26d"],
  ["a list with style form", list, { style: "form" }, ["a", "b"], "v=a&v=b"],
  ["a list without explode", list, { explode: false }, ["a,", "b"], "v=a%2C,b"],
  ["a list with spaces", list, { style: "spaceDelimited", explode: false }, ["a", "b"], "v=a+b"],
  ["a list with pipes", list, { style: "pipeDelimited", explode: false }, ["a", "b"], "v=a%7Cb"],
  ["a list with a media type", list, { contentType: "application/json" }, ["a"], "v=%5B%22a%22%5D"],
  ["reserved characters", { type: "string" }, { allowReserved: true }, "a/b?c&d+e", "v=a/b?c%26d%2Be"],
  ["a text", { type: "string" }, undefined, "ü&=+ \n", "v=%C3%BC%26%3D%2B+%0A"],
])("%s", async (_title, schema, encoding, value, sent) => {
  expect(await sentOf(formOf(schema, encoding), { v: value })).toBe(sent);
});

const open = { type: "object", additionalProperties: true };

test.each([
  ["another field", urlencoded, { other: "x" }],
  ["another field, as some servers read it", urlencoded, { "other[]": "x" }],
  ["a token", urlencoded, { access_token: "x" }],
  ["the method", urlencoded, { _method: "DELETE" }],
  ["another field, in parts", "multipart/form-data", { other: "x" }],
])("a member of an exploded object is not sent as %s", async (_title, mediaType, value) => {
  server.requests.length = 0;
  const result = await call(formOf(open, { style: "form" }, { mediaType }), "ask", {
    body: { other: "mine", v: value },
  });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain("which would be another parameter");
  expect(server.requests).toEqual([]);
});

test.each([urlencoded, "multipart/form-data"])(
  "a field of an open form may be called like a parameter or a key of the address, but not like a token: %s",
  async (mediaType) => {
    const parameters = [{ name: "q", in: "query", schema: { type: "string" } }];
    const security = [{ key: [] }];
    const requestBody = { content: { [mediaType]: { schema: open } } };
    const components = { securitySchemes: { key: { type: "apiKey", in: "query", name: "api_key" } } };
    const document = documentOf({ parameters, security, requestBody }, { method: "post", components });
    const set = openapi(document, { baseUrl: server.url, auth: { key: "secret-key" }, approval: "none" });
    server.requests.length = 0;
    expect((await call(set, "ask", { body: { q: "field", api_key: "field" } })).isError).toBe(false);
    expect(server.requests[0]).toMatch(/^POST \/ask\?api_key=\S+\n[^]*field[^]*field/);
    expect((await call(set, "ask", { body: { access_token: "x" } })).isError).toBe(true);
  },
);

test("what an exploded object does not declare is refused, where it is closed", async () => {
  const result = await call(formOf({ ...color, additionalProperties: false }, { style: "form" }), "ask", {
    body: { v: { ...rgb, B: 1 } },
  });
  expect(result.isError).toBe(true);
});

test.each(["3.0.3", "3.1.0"])(
  "in documents of %s, parts have the styles that their encodings say",
  async (version) => {
    const part = (name: string, text: string): string =>
      `--BOUNDARY\ncontent-disposition: form-data; name="${name}"\n\n${text}\n`;
    const where = { mediaType: "multipart/form-data", openapi: version };
    expect(await sentOf(formOf(color, { style: "form" }, where), { v: rgb })).toBe(
      `${part("R", "100")}${part("G", "200")}--BOUNDARY--\n`,
    );
    expect(await sentOf(formOf(color, { style: "deepObject" }, where), { v: rgb })).toBe(
      `${part("v[R]", "100")}${part("v[G]", "200")}--BOUNDARY--\n`,
    );
  },
);

const multipart = "multipart/form-data";
const file = { base64: "iVBORw==", name: "a.png" };
const png = `--BOUNDARY
content-disposition: form-data; name="v"; filename="a.png"
content-type: image/png
`;

test.each<readonly [string, object, object | undefined]>([
  ["of the format binary", { type: "string", format: "binary" }, { contentType: "image/png" }],
  ["with a media type", { contentMediaType: "image/png" }, undefined],
  ["of text with a media type of bytes", { type: "string", contentMediaType: "image/png" }, undefined],
  ["of anything with an encoding of bytes", {}, { contentType: "image/png" }],
  ["of text with an encoding of bytes", { type: "string" }, { contentType: "image/png" }],
  ["in a list with an encoding of bytes", { type: "array", items: {} }, { contentType: "image/png" }],
])("a part %s is a file", async (_title, schema, encoding) => {
  const isList = "items" in schema;
  const set = formOf(schema, encoding, { mediaType: multipart });
  expect(await sentOf(set, { v: isList ? [file] : file })).toContain(png);
  expect((await call(set, "ask", { body: { v: 5 } })).isError).toBe(true);
});

test("a part with an encoding of bytes is a file in a form by reference, and the other forms of that schema have none", async () => {
  const schema = { $ref: "#/components/schemas/Form" };
  const body = (encoding?: object) => ({
    content: { [multipart]: { schema, ...(encoding && { encoding }) } },
  });
  const withImage = {
    operationId: "image",
    requestBody: body({ v: { contentType: "image/png, image/jpeg" } }),
  };
  const withText = { operationId: "text", requestBody: body() };
  const document = {
    ...documentOf({}),
    paths: { "/image": { post: withImage }, "/text": { post: withText } },
    components: { schemas: { Form: { type: "object", properties: { v: { type: "string" } } } } },
  };
  const set = openapi(document, { baseUrl: server.url, approval: "none" });
  server.requests.length = 0;
  expect((await call(set, "image", { body: { v: file } })).isError).toBe(false);
  expect((await call(set, "text", { body: { v: "plain" } })).isError).toBe(false);
  expect((await call(set, "text", { body: { v: file } })).isError).toBe(true);
  expect(server.requests.map((request) => request.includes('filename="a.png"'))).toEqual([true, false]);
});

test.each<readonly [string, object, object | undefined]>([
  ["base64", { type: "string", contentEncoding: "base64", contentMediaType: "image/png" }, undefined],
  ["JSON", { type: "string", contentMediaType: "application/json" }, undefined],
  ["HTML", { type: "string", contentMediaType: "text/html" }, undefined],
  ["XML by its encoding", { type: "string" }, { contentType: "application/xml; charset=utf-8" }],
  ["anything by its encoding", { type: "string" }, { contentType: "*/*" }],
])("a part of %s is a text", async (_title, schema, encoding) => {
  expect(await sentOf(formOf(schema, encoding, { mediaType: multipart }), { v: "text" })).toMatch(
    /name="v"\n(?:content-type: .*\n)?\n"?text"?\n/,
  );
});
