import { createServer, type Server } from "node:http";
import { afterEach, expect, test, vi } from "vitest";
import { Agent, generate, run } from "skein";
import { fallback } from "skein/models";

let server: Server | undefined;
afterEach(() => {
  vi.unstubAllEnvs();
  server?.close();
  server = undefined;
});

/** A server that answers every chat with "Hello." */
async function greeter(): Promise<string> {
  const choice = { index: 0, finish_reason: "stop", delta: { role: "assistant", content: "Hello." } };
  const chunk = JSON.stringify({ id: "1", object: "chat.completion.chunk", model: "m", choices: [choice] });
  const started = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: ${chunk}\n\ndata: [DONE]\n\n`);
  });
  server = started;
  await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
  const address = started.address();
  return `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

test("a model's name that was refused is tried again once the environment is right", async () => {
  const name = "ollama:greeter";
  const ask: readonly (() => Promise<{ readonly text: string }>)[] = [
    () => generate(name, "Hi"),
    () => run(new Agent({ name: "A", model: name }), "Hi"),
    () => generate(fallback([name]), "Hi"),
  ];
  const refusal = {
    code: "invalid-base-url",
    message: 'OLLAMA_HOST "no host" is not an address. Set it to a host and a port, such as 127.0.0.1:11434.',
  };
  vi.stubEnv("OLLAMA_HOST", "no host");
  for (const each of ask) await expect(each()).rejects.toMatchObject(refusal);
  vi.stubEnv("OLLAMA_HOST", await greeter());
  for (const each of ask) expect(await each()).toMatchObject({ text: "Hello." });
});
