import { createServer, type RequestListener, type Server } from "node:http";
import { afterEach, expect, test, vi } from "vitest";
import { firstOllamaModel, ollamaAddress } from "./ollama.ts";

let server: Server | undefined;
afterEach(() => {
  vi.unstubAllEnvs();
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

/** Starts a stand-in for Ollama, and sets `OLLAMA_HOST` to it. */
async function ollama(listener: RequestListener): Promise<void> {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
  const address = started.address();
  vi.stubEnv("OLLAMA_HOST", `127.0.0.1:${typeof address === "object" ? address?.port : ""}`);
}

test.each([
  ["", "http://127.0.0.1:11434"],
  ["192.168.0.7", "http://192.168.0.7:11434"],
  ["192.168.0.7:80", "http://192.168.0.7"],
  ["0.0.0.0", "http://127.0.0.1:11434"],
  ["0.0.0.0:5000", "http://127.0.0.1:5000"],
  [":5000", "http://127.0.0.1:5000"],
  ["[::]:5000", "http://127.0.0.1:5000"],
  ["http://example.com", "http://example.com"],
  ["https://example.com/ollama/", "https://example.com/ollama"],
  ["https://example.com:8443", "https://example.com:8443"],
])("OLLAMA_HOST %j is read as Ollama reads it", (host, address) => {
  expect(ollamaAddress(host)).toBe(address);
});

test("the first chat model in the list is chosen", async () => {
  await ollama((request, response) => {
    const models = [{ name: "nomic-embed-text:latest" }, { name: "qwen3:8b" }, { name: "llama3.3:latest" }];
    response.end(JSON.stringify(request.url === "/api/tags" ? { models } : {}));
  });
  expect(await firstOllamaModel()).toBe("qwen3:8b");
});

test.each<[string, RequestListener]>([
  ["no models", (_request, response) => response.end('{"models":[]}')],
  ["something else", (_request, response) => response.end('[{"name":"qwen3"}]')],
  ["no JSON", (_request, response) => response.end("Ollama is running")],
  ["an error", (_request, response) => response.writeHead(500).end('{"models":[{"name":"qwen3"}]}')],
  ["nothing at all", () => undefined],
])("a server that answers %s has no model", async (_title, listener) => {
  await ollama(listener);
  expect(await firstOllamaModel()).toBeUndefined();
});

test("the model is undefined where no server answers", async () => {
  await ollama(() => undefined);
  await new Promise((resolve) => server?.close(resolve));
  expect(await firstOllamaModel()).toBeUndefined();
});
