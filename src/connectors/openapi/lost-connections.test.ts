import { createServer } from "node:http";
import { expect, test } from "vitest";
import { openapi } from "./index.ts";
import { call, textOf } from "./test-api-server.ts";

test.each([
  ["before it answers", "the connection to {host} failed before it answered (", "; the call may or may not"],
  ["in its answer", "the server has taken the request, but its answer broke off (", ""],
])("a server that breaks off %s may have done what it was asked for", async (when, words, effect) => {
  const received: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      received.push(request.method ?? "");
      if (when === "in its answer") response.write('{"half":');
      setTimeout(() => request.socket.destroy(), 50);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const document = {
    openapi: "3.1.0",
    info: { title: "Bank", version: "1" },
    paths: { "/pay": { post: { operationId: "pay", responses: { 200: { description: "Paid." } } } } },
  };
  const api = openapi(document, { baseUrl: `http://${host}`, approval: "none" });
  const result = await call(api, "pay", {});
  expect(received).toEqual(["POST"]);
  expect(textOf(result)).toContain(words.replace("{host}", host));
  expect(textOf(result)).toContain(effect);
  await new Promise((resolve) => server.close(resolve));
});
