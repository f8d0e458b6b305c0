import { createServer } from "node:http";
import { afterEach, expect, test, vi } from "vitest";
import { postForEvents } from "./http.ts";
import { proxyPasswords } from "./proxy-passwords.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

test("the passwords of the environment's proxies are known, decoded", () => {
  vi.stubEnv("HTTP_PROXY", "http://ann:p%40ss-word@proxy.test:8080");
  vi.stubEnv("https_proxy", "http://ann:100%@proxy.test:8080");
  vi.stubEnv("http_proxy", "http://proxy.test");
  vi.stubEnv("HTTPS_PROXY", "");
  expect(proxyPasswords()).toEqual({ "HTTP_PROXY password": "p@ss-word", "https_proxy password": "100%" });
});

test("a proxy that writes its password into its answer does not put it into an error", async () => {
  const proxy = createServer((request, response) => {
    // Not 407: `fetch` hands out no such answer.
    response.writeHead(502, { "content-type": "text/plain" });
    response.end(
      `not s3cret-pa55, as in ${request.headers["proxy-authorization"] ?? "Basic YW5uOnMzY3JldC1wYTU1"}`,
    );
  });
  await new Promise<void>((resolve) => void proxy.listen(0, "127.0.0.1", resolve));
  const address = proxy.address();
  const port = typeof address === "object" ? address?.port : "";
  vi.stubEnv("HTTP_PROXY", `http://ann:s3cret-pa55@127.0.0.1:${port}`);
  // Where Node does not follow the variable, the answer comes from the same server.
  const url = `http://127.0.0.1:${port}/chat`;
  const post = postForEvents({
    provider: "acme",
    modelId: "m",
    url,
    headers: { authorization: "x" },
    body: {},
  });
  const error: unknown = await post.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ status: 502 });
  expect(String(error)).toContain("not ");
  expect(JSON.stringify([String(error), Object(error).body])).not.toMatch(/s3cret|YW5uOnMz/);
  proxy.close();
});
