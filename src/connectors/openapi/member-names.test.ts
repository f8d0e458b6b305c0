/** What members are called once they are parameters or fields of their own, beside what else is sent. */
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

const free = { type: "object", additionalProperties: {} };
const me = { type: "string", enum: ["me"] };

/** What is sent for the arguments, in plain letters, or why nothing is. */
async function requestFor(
  operation: object,
  args: object,
  more: Record<string, unknown> = {},
): Promise<string> {
  const document = documentOf(operation, more);
  const options = { baseUrl: server.url, allowPrivateAddresses: true, approval: "none", auth: "k" } as const;
  const result = await call(openapi(document, options), "ask", args);
  const [request] = server.requests;
  return request === undefined ? textOf(result) : decodeURIComponent(request);
}

const deep = (name: string, schema: object = free): object => ({
  name,
  in: "query",
  style: "deepObject",
  schema,
});
const plain = (name: string): object => ({ name, in: "query", schema: me });

test.each<readonly [other: string, filter: object, clash: string]>([
  ["filter[owner]", { owner: "x" }, "filter[owner]"],
  ["filter[owner]", { Owner: "x" }, "filter[Owner]"],
  ["filter.owner", { owner: "x" }, "filter[owner]"],
  ["filter[owner]", { owner: { id: "x" } }, "filter[owner][id]"],
  ["filter[owner]", { owner: ["x"] }, "filter[owner][0]"],
  ["filter[owner][id]", { owner: "x" }, "filter[owner]"],
  ["filter[owner][id]", { "owner][id": "x" }, "filter[owner][id]"],
  ["filter[owner][id]", { "owner.id": "x" }, "filter[owner.id]"],
])("beside the parameter %s a deep object %j is refused", async (other, filter, clash) => {
  const text = await requestFor({ parameters: [plain(other), deep("filter")] }, { filter });
  expect(text).toContain(`which would be another parameter: ${clash}`);
  expect(server.requests).toEqual([]);
});

test("a deep object has no member whose name is the parameter's to the letter", async () => {
  const parameters = [plain("filter[]"), deep("filter")];
  expect(await requestFor({ parameters }, { filter_query: { "": "x" } })).toContain(
    "another parameter: filter[]",
  );
});

test("a deep object has every member whose name no other parameter has", async () => {
  const parameters = [plain("filter[owner]"), plain("filter[team][id]"), plain("color"), deep("filter")];
  const filter = { color: "red", team: { name: "A" }, owners: ["x"], _method: "y", "": "z" };
  expect(await requestFor({ parameters }, { filter })).toMatch(
    "/ask?filter[color]=red&filter[team][name]=A&filter[owners][0]=x&filter[_method]=y&filter[]=z",
  );
});

test("a deep object has the members of its schema, also where a parameter has the same name", async () => {
  const owner = { type: "object", properties: { ids: { type: "array", items: {} } } };
  const parameters = [plain("filter[owner]"), deep("filter", { type: "object", properties: { owner } })];
  expect(await requestFor({ parameters }, { filter: { owner: { ids: ["x"] } } })).toContain(
    "filter[owner][ids][0]=x",
  );
  server.requests.length = 0;
  expect(await requestFor({ parameters }, { filter: { owner: { name: "x" } } })).toContain(
    'filter has the property "owner.name", which would be another parameter: filter[owner][name]',
  );
});

test("a deep object cannot have the name of a credential, even if its schema has it", async () => {
  const schema = { type: "object", properties: { key: {}, user: {} } };
  const operation = { security: [{ k: [] }], parameters: [deep("auth", schema)] };
  const components = { securitySchemes: { k: { type: "apiKey", in: "query", name: "auth[key]" } } };
  expect(await requestFor(operation, { auth: { key: "x" } }, { components })).toContain(
    "which would be another parameter: auth[key]",
  );
  expect(await requestFor(operation, { auth: { user: "x" } }, { components })).toContain(
    "auth[user]=x&auth[key]=k",
  );
});

test("two deep objects do not have members of one name", async () => {
  const parameters = [deep("filter"), deep("filter[owner]", { type: "object", properties: { id: me } })];
  expect(await requestFor({ parameters }, { filter: { owner: { id: "x" } } })).toContain("another parameter");
  expect(await requestFor({ parameters }, { filter_owner: { id: "me" } })).toContain("?filter[owner][id]=me");
});

test("an object has no property that another object has by its schema", async () => {
  const closed = { type: "object", properties: { owner: me }, additionalProperties: false };
  const parameters = [
    { name: "filter", in: "query", schema: closed },
    { name: "extra", in: "query", schema: free },
  ];
  const filter = { owner: "me" };
  expect(await requestFor({ parameters }, { filter, extra: { owner: "x" } })).toContain(
    'extra has the property "owner", which would be another parameter',
  );
  expect(await requestFor({ parameters }, { filter, extra: { color: "red" } })).toContain(
    "?owner=me&color=red",
  );
});

const owner = { type: "object", properties: { owner: me } };

function formOf(encoding: object | undefined, mediaType: string): object {
  const schema = { type: "object", properties: { filter: owner, color: {}, access_token: {} } };
  return {
    requestBody: {
      content: { [mediaType]: { schema, ...(encoding && { encoding: { filter: encoding } }) } },
    },
  };
}

test.each([
  ["a deep object", { style: "deepObject" }, { "filter[owner]": "x" }],
  ["a deep object", { style: "deepObject" }, { "filter.owner": "x" }],
  ["an exploded object", { style: "form" }, { owner: "x" }],
  ["an exploded object", { style: "form" }, { "owner[]": "x" }],
  ["a field", undefined, { Color: "x" }],
  ["a field", undefined, { "color[]": "x" }],
  ["a token", undefined, { "access.token": "x" }],
  ["the method", undefined, { _method: "DELETE" }],
])("a form has no field of its own that would be one of %s", async (_title, encoding, fields) => {
  for (const mediaType of ["application/x-www-form-urlencoded", "multipart/form-data"]) {
    const body = { filter: { owner: "me" }, ...fields };
    expect(await requestFor(formOf(encoding, mediaType), { body }, { method: "post" })).toContain(
      `body has the property ${JSON.stringify(Object.keys(fields)[0])}, which would be another parameter`,
    );
  }
  expect(server.requests).toEqual([]);
});

test("a form has its fields, those of its schema and others", async () => {
  const operation = formOf({ style: "deepObject" }, "application/x-www-form-urlencoded");
  const body = { filter: { owner: "me", size: 1 }, color: "red", access_token: "t", colors: 2, owner: 3 };
  expect(await requestFor(operation, { body }, { method: "post" })).toMatch(
    "filter[owner]=me&filter[size]=1&color=red&access_token=t&colors=2&owner=3",
  );
});

test("a field's deep object has no member that is a field of the schema", async () => {
  const schema = { type: "object", properties: { filter: free, "filter[owner]": me } };
  const media = { schema, encoding: { filter: { style: "deepObject" } } };
  const operation = { requestBody: { content: { "application/x-www-form-urlencoded": media } } };
  expect(await requestFor(operation, { body: { filter: { owner: "x" } } }, { method: "post" })).toContain(
    'body.filter has the property "owner", which would be another parameter: filter[owner]',
  );
});

test("a name of very many brackets is compared, and shown in part", async () => {
  const parameters = [plain("filter[owner]"), deep("filter")];
  const name = "[a".repeat(20_000);
  const text = await requestFor({ parameters }, { filter: { [`owner]${name}`]: "x" } });
  expect(text).toContain("another parameter");
  expect(text.length).toBeLessThan(1_000);
});
