import { expect, test } from "vitest";
import { openapi, type OpenApiAuth } from "./index.ts";
import { call, serveTest, textOf } from "./test-api-server.ts";
import { documentOf } from "./test-documents.ts";

const schemeOf = (scheme: object): Record<string, unknown> => ({
  components: { securitySchemes: { key: scheme } },
});

/** What the model is shown where a server answers a request with `body`. */
async function echoed(
  scheme: object,
  auth: OpenApiAuth,
  status: number,
  body: string,
  type = "application/json",
): Promise<string> {
  const api = await serveTest((_request, response) => {
    response
      .writeHead(status, { "content-type": type, location: `/x?k=${encodeURIComponent(body)}` })
      .end(body);
  });
  const document = documentOf({ security: [{ key: [] }] }, schemeOf(scheme));
  return textOf(await call(openapi(document, { baseUrl: api.url, auth }), "ask", {}));
}

const slashes = "SECRET/TOK+EN==";
const quotes = String.raw`pa"ss\word-123`;
const everyEscape = (secret: string): string =>
  secret.replaceAll(/[^]/g, (char) => String.raw`\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);

test.each(
  [200, 400].flatMap(
    (status) =>
      [
        [status, slashes, `{"a":"${slashes.replaceAll("/", String.raw`\/`)}"}`],
        [status, slashes, String.raw`{"a":"\u0053ECRET/TOK\u002bEN=="}`],
        [status, slashes, `{"a":"${everyEscape(slashes)}","b":1}`],
        [status, slashes, JSON.stringify({ [slashes]: [JSON.stringify(JSON.stringify({ a: slashes }))] })],
        [status, slashes, `{"cut":"${everyEscape(slashes)}`],
        [status, slashes, `<a>${slashes.replaceAll("=", "&#61;").replaceAll("/", "&#x2F;")}</a>`],
        [status, slashes, `${btoa(slashes)} ${slashes.replaceAll("=", "%3d")}`],
        [status, quotes, JSON.stringify({ a: quotes })],
        [status, quotes, JSON.stringify({ a: JSON.stringify({ b: quotes }) }).slice(0, -2)],
        [status, "pass word/1 2", '{"a":"pass+word%2f1+2"}'],
        [status, "1234567890", '{"a":1234567890}'],
      ] as const,
  ),
)("an answer %i with the secret %s as %s does not show it", async (status, secret, body) => {
  for (const type of ["application/json", "text/plain"]) {
    const text = await echoed({ type: "http", scheme: "bearer" }, { key: secret }, status, body, type);
    expect(text).toContain("[redacted]");
    const decoded = text.replaceAll(/\\+u(....)/g, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    for (const form of [secret, btoa(secret), secret.slice(2), JSON.stringify(secret).slice(1, -1)]) {
      expect(decoded.replaceAll(/\\+\//g, "/")).not.toContain(form);
    }
  }
});

test.each([200, 401])(
  "an answer %i does not show a user's password, nor what a header has of it",
  async (status) => {
    const auth = { key: { username: "ann", password: "pass-word-123" } };
    const body = JSON.stringify({
      a: btoa("ann:pass-word-123"),
      b: "Basic YW5uOnBhc3Mtd29yZC0xMjM=",
      c: "pass-word-123",
    });
    const text = await echoed({ type: "http", scheme: "basic" }, auth, status, body);
    expect(text).toContain('{"a":"[redacted]","b":"[redacted]","c":"[redacted]"}');
  },
);

test("the program's own secret headers are hidden from the model, other answers stay as they are", async () => {
  const body = '{ "a": 1.0, "b": "\\u0041\\/", "session": "abc-session-9", "theme": "dark" }';
  const api = await serveTest(
    (_request, response) => void response.writeHead(400, { "content-type": "application/json" }).end(body),
  );
  const shown = async (headers: Record<string, string>): Promise<string> =>
    textOf(await call(openapi(documentOf({}), { baseUrl: api.url, headers }), "ask", {}));
  expect(await shown({ cookie: "sid=abc-session-9; a=b" })).toContain(
    '"session":"[redacted]","theme":"dark"',
  );
  expect(await shown({ "x-tenant": "dark" })).toContain(body);
});

test.each(["basic", "body"] as const)(
  "the secret of a client is hidden in answers and errors of the API (%s)",
  async (authentication) => {
    const clientSecret = "abc8Q~Xyz.1234567890-_s cret";
    const api = await serveTest(({ url }, response) => {
      response.setHeader("content-type", "application/json");
      if (url === "/token") return void response.end('{"access_token":"ACCESS-TOKEN-1234567890"}');
      const answers = [clientSecret, encodeURIComponent(clientSecret), new URLSearchParams({ clientSecret })];
      response.writeHead(url === "/wrong/x" ? 403 : 200).end(JSON.stringify({ answers: answers.join("; ") }));
    });
    const flows = { clientCredentials: { tokenUrl: "/token", scopes: {} } };
    const document = documentOf({ security: [{ key: [] }] }, schemeOf({ type: "oauth2", flows }));
    for (const path of ["", "/wrong"]) {
      const auth = { key: { clientId: "c1", clientSecret, authentication, tokenUrl: `${api.url}/token` } };
      const text = textOf(await call(openapi(document, { baseUrl: api.url + path, auth }), "ask", {}));
      expect(text).toContain("[redacted]; [redacted]; clientSecret=[redacted]");
    }
  },
);

test("a redirect to a host that is the secret does not show it", async () => {
  const api = await serveTest((_request, response) => {
    response.writeHead(302, { location: "https://SecretToken12345.example/x" }).end();
  });
  const document = documentOf({ security: [{ key: [] }] }, schemeOf({ type: "http", scheme: "bearer" }));
  const text = textOf(
    await call(openapi(document, { baseUrl: api.url, auth: { key: "SecretToken12345" } }), "ask", {}),
  );
  expect(text).toContain("redirects to https://[redacted].example");
});

test("a secret in the media type of an answer is hidden", async () => {
  const api = await serveTest((_request, response) => {
    response.writeHead(200, { "content-type": "application/x-TopSecretKey; a=b" });
    response.end("ab");
  });
  const document = documentOf(
    { security: [{ key: [] }] },
    { components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } } },
  );
  const result = await call(openapi(document, { baseUrl: api.url, auth: "TopSecretKey" }), "ask", {});
  expect(textOf(result)).toBe("[2 bytes of application/x-[redacted], which cannot be shown]");
});
