import { afterAll, beforeAll, expect, test } from "vitest";
import { openapi, type OpenApiToolset } from "./index.ts";
import { call, fixture, serveDocument, type TestServer } from "./test-api-server.ts";

let server: TestServer;
let api: OpenApiToolset;

beforeAll(async () => {
  server = await serveDocument(fixture("every-feature.yaml"), ["/api/v1", "/other", "/paths"]);
  const auth = {
    headerKey: "header-secret",
    queryKey: "query secret",
    cookieKey: "cookie=secret",
    token: async ({ context }: { context: unknown }) => `token-of-${typeof context}`,
    user: { username: "ann", password: "p:ß" },
    client: { clientId: "id", clientSecret: "s/1" },
  };
  api = openapi(`${server.url}/openapi.yaml`, { auth, approval: "none" });
});

afterAll(() => server.close());

const color = { R: 100, G: 200 };
const json = "content-type: application/json";

/** The tool, its arguments, and the request that arrives, its path without the server's. */
const table: readonly (readonly [name: string, args: object, request: string])[] = [
  ["simple", { v: "a b/ü?#&=%" }, "GET /simple/a%20b%2F%C3%BC%3F%23%26%3D%25"],
  ["simple", { v: "../../etc" }, "GET /simple/..%2F..%2Fetc"],
  ["simpleList", { v: ["a", "b,c"] }, "GET /simple-list/a,b%2Cc"],
  ["simpleObject", { v: color }, "GET /simple-object/R,100,G,200"],
  ["simpleObjectExplode", { v: color }, "GET /simple-object-explode/R=100,G=200"],
  ["label", { v: "blue" }, "GET /label/.blue"],
  ["labelList", { v: ["blue", "black"] }, "GET /label-list/.blue,black"],
  ["labelListExplode", { v: ["blue", "black"] }, "GET /label-list-explode/.blue.black"],
  ["labelObject", { v: color }, "GET /label-object/.R,100,G,200"],
  ["labelObjectExplode", { v: color }, "GET /label-object-explode/.R=100.G=200"],
  ["matrix", { v: "blue" }, "GET /matrix/;v=blue"],
  ["matrixList", { v: ["blue", "black"] }, "GET /matrix-list/;v=blue,black"],
  ["matrixListExplode", { v: ["blue", "black"] }, "GET /matrix-list-explode/;v=blue;v=black"],
  ["matrixObject", { v: color }, "GET /matrix-object/;v=R,100,G,200"],
  ["matrixObjectExplode", { v: color }, "GET /matrix-object-explode/;R=100;G=200"],
  ["pathJson", { v: { R: 1 } }, "GET /path-json/%7B%22R%22%3A1%7D"],
  ["twoInOne", { a: "x", b: "y.z", c: 3 }, "GET /two/x.y.z/3"],

  ["form", { v: "a b+ü&c=d" }, "GET /form?v=a%20b%2B%C3%BC%26c%3Dd"],
  ["form", {}, "GET /form"],
  ["formList", { v: ["a", "b"] }, "GET /form-list?v=a&v=b"],
  ["formList", { v: [] }, "GET /form-list"],
  ["formListJoined", { v: ["a", "b,c"] }, "GET /form-list-joined?v=a,b%2Cc"],
  ["formObject", { v: color }, "GET /form-object?R=100&G=200"],
  ["formObjectJoined", { v: color }, "GET /form-object-joined?v=R,100,G,200"],
  ["spaces", { v: ["a", "b", "c"] }, "GET /spaces?v=a%20b%20c"],
  ["spacesObject", { v: color }, "GET /spaces-object?v=R%20100%20G%20200"],
  ["pipes", { v: ["a", "b"] }, "GET /pipes?v=a%7Cb"],
  ["pipesExplode", { v: ["a", "b"] }, "GET /pipes-explode?v=a&v=b"],
  ["deep", { v: color }, "GET /deep?v%5BR%5D=100&v%5BG%5D=200"],
  [
    "deepNested",
    { filter: { a: { b: 1 }, list: ["x", "y"] } },
    "GET /deep-nested?filter%5Ba%5D%5Bb%5D=1&filter%5Blist%5D%5B0%5D=x&filter%5Blist%5D%5B1%5D=y",
  ],
  ["reserved", { v: "a/b:c?d=e&f#g h%2F" }, "GET /reserved?v=a/b:c?d=e%26f%23g%20h%2F"],
  ["queryJson", { v: { a: [1] } }, "GET /query-json?v=%7B%22a%22%3A%5B1%5D%7D"],
  [
    "oddNames",
    { filter_name: "x", "page.size": 2, gr_e: 1.5 },
    "GET /odd-names?filter%5Bname%5D=x&page.size=2&gr%C3%B6%C3%9Fe=1.5",
  ],
  ["flags", { on: true, n: 0, empty: "" }, "GET /flags?on=true&n=0&empty="],

  ["header", { "X-One": "one, two", "X-List": [1, 2] }, "GET /header\nx-list: 1,2\nx-one: one, two"],
  [
    "headerObject",
    { "X-Color": color, "X-Exploded": color, "X-Json": { a: 1 } },
    'GET /header-object\nx-color: R,100,G,200\nx-exploded: R=100,G=200\nx-json: {"a":1}',
  ],
  ["cookie", { session: "a;b", colors: ["x", "y"] }, "GET /cookie\ncookie: session=a%3Bb; colors=x,y"],
  ["ignoredHeaders", { q: "x" }, "GET /ignored-headers?q=x"],

  [
    "sharedGet",
    { id: "1", limit: 5, "X-Trace": "t", sort: ["a", "b"] },
    "GET /shared/1?sort=a,b&limit=5\nx-trace: t",
  ],
  ["sharedDelete", { id: "1", sort: ["a", "b"] }, "DELETE /shared/1?sort=a&sort=b"],
  [
    "sameName",
    { id: 1, id_query: 2, id_header: 3, body: "q", request_body: { a: 1 } },
    `PUT /same-name/1?id=2&body=q\n${json}\nid: 3\n\n{"a":1}`,
  ],

  [
    "json",
    { body: { name: "Rex", secret: "s", owner: null } },
    `POST /json\n${json}\n\n{"name":"Rex","secret":"s","owner":null}`,
  ],
  ["jsonList", { body: [1, 2] }, `PUT /json-list\n${json}\n\n[1,2]`],
  [
    "jsonPatch",
    { body: { a: null } },
    'PATCH /json-patch\ncontent-type: application/merge-patch+json\n\n{"a":null}',
  ],
  ["jsonNull", { body: null }, `POST /json-null\n${json}\n\nnull`],
  ["jsonFirst", { body: { a: 1 } }, `POST /json-first\n${json}\n\n{"a":1}`],
  [
    "tree",
    { body: { value: "a", children: [{ value: "b", children: [{ value: "c" }] }] } },
    `POST /tree\n${json}\n\n{"value":"a","children":[{"value":"b","children":[{"value":"c"}]}]}`,
  ],
  ["animal", { body: { kind: "dog", barks: true } }, `POST /animal\n${json}\n\n{"kind":"dog","barks":true}`],
  ["vehicle", { body: { type: "car", doors: 4 } }, `POST /vehicle\n${json}\n\n{"type":"car","doors":4}`],
  ["stamped", { body: { note: "n" } }, `POST /stamped\n${json}\n\n{"note":"n"}`],
  ["anyOf", { body: "plain" }, `POST /any-of\n${json}\n\n"plain"`],
  [
    "urlencoded",
    { body: { name: "a b&c", tags: ["x", "y"], address: { zip: 1 }, ids: [1, 2], meta: { k: "v" } } },
    "POST /urlencoded\ncontent-type: application/x-www-form-urlencoded\n\n" +
      "name=a+b%26c&tags=x&tags=y&address=%7B%22zip%22%3A1%7D&ids=1,2&meta%5Bk%5D=v",
  ],
  [
    "multipart",
    {
      body: {
        title: "T",
        info: { a: 1 },
        file: { text: "hello", name: 'a"b.txt' },
        many: [
          { base64: "AAEC", name: "p.png" },
          { base64: "AA==", mediaType: "image/gif" },
        ],
        labels: ["x", "y"],
      },
    },
    `POST /multipart
content-type: multipart/form-data; boundary=BOUNDARY

--BOUNDARY
content-disposition: form-data; name="title"

T
--BOUNDARY
content-disposition: form-data; name="info"
content-type: application/json

{"a":1}
--BOUNDARY
content-disposition: form-data; name="file"; filename="a%22b.txt"
content-type: text/plain

hello
--BOUNDARY
content-disposition: form-data; name="many"; filename="p.png"
content-type: image/png

\u0000\u0001\u0002
--BOUNDARY
content-disposition: form-data; name="many"; filename="file"
content-type: image/gif

\u0000
--BOUNDARY
content-disposition: form-data; name="labels"

x
--BOUNDARY
content-disposition: form-data; name="labels"

y
--BOUNDARY--
`,
  ],
  [
    "formOrMultipart",
    { body: { f: { text: "x" } } },
    `POST /form-or-multipart
content-type: multipart/form-data; boundary=BOUNDARY

--BOUNDARY
content-disposition: form-data; name="f"; filename="file"
content-type: application/octet-stream

x
--BOUNDARY--
`,
  ],
  ["text", { body: "ü" }, "POST /text\ncontent-type: text/plain; charset=utf-8\n\n\u00C3\u00BC"],
  ["xml", { body: "<a/>" }, "POST /xml\ncontent-type: application/xml; charset=utf-8\n\n<a/>"],
  [
    "binary",
    { body: { base64: "_-8=" } },
    "PUT /binary\ncontent-type: application/octet-stream\n\n\u00FF\u00EF",
  ],
  ["binary", { body: { text: "{}", mediaType: "application/json" } }, `PUT /binary\n${json}\n\n{}`],
  ["image", { body: { base64: "AAE=" } }, "PUT /image\ncontent-type: image/png\n\n\u0000\u0001"],
  ["optionalBody", {}, "POST /optional-body"],

  ["head", {}, "HEAD /head"],
  ["options", {}, "OPTIONS /options"],

  ["headerKey", {}, "GET /header-key\nx-api-key: header-secret"],
  ["queryKey", { q: "x" }, "GET /query-key?q=x&api_key=query%20secret"],
  ["cookieKey", { a: "1" }, "GET /cookie-key\ncookie: a=1; sid=cookie%3Dsecret"],
  ["bearer", {}, "GET /bearer\nauthorization: Bearer token-of-object"],
  ["basic", {}, "GET /basic\nauthorization: Basic YW5uOnA6w58="],
  ["oauth", {}, "GET /oauth\nauthorization: Bearer fresh-token"],
  ["both", {}, "GET /both\nauthorization: Bearer token-of-object\nx-api-key: header-secret"],
  ["either", {}, "GET /either?api_key=query%20secret"],
  ["none", {}, "GET /none"],

  ["get_no-id_thing-id_parts", { "thing-id": "7" }, "GET /no-id/7/parts"],
  ["twice", {}, "GET /twice-a"],
  ["twice_2", {}, "GET /twice-b"],
  ["things_get_all_v2", {}, "GET /odd-id"],
  ["fixedQuery", { v: "x" }, "GET /fixed?kind=list&v=x"],
  ["pathReference", {}, "GET /item"],
];

test.each(table)("%s %o arrives as the document says", async (name, args, request) => {
  server.requests.length = 0;
  const result = await call(api, name, args);
  expect(result, JSON.stringify(result)).toMatchObject({ isError: false });
  expect(server.requests.at(-1)).toBe(request.replace(" /", " /api/v1/"));
});

test.each([
  ["ownServer", "GET /other/own-server"],
  ["pathServer", "GET /paths/path-server"],
])("%s goes to the nearest servers", async (name, request) => {
  expect((await call(api, name, {})).isError).toBe(false);
  expect(server.requests.at(-1)).toBe(request);
});

test("the server finds the operation that was meant", async () => {
  expect((await call(api, "sharedGet", { id: "1" })).structuredContent).toEqual({ operation: "sharedGet" });
});

test("every operation of the document is a tool that the table calls, or is left out with a reason", async () => {
  const { operations, tools, leftOut, notes } = await api.report();
  expect(operations).toBe(77);
  const called = new Set([...table.map(([name]) => name), "ownServer", "pathServer"]);
  expect(tools.filter((name) => !called.has(name))).toEqual([]);
  expect(leftOut.map(({ operationId, reason }) => `${operationId}: ${reason}`)).toEqual([
    "trace: requests with TRACE cannot be sent",
    "old: it is deprecated, and the option deprecated is not set",
  ]);
  expect(notes).toEqual([]);
});
