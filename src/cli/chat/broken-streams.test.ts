import { connect, createServer, type Socket } from "node:net";
import { once } from "node:events";
import { PassThrough, Writable } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { Agent } from "../../agent/agent.ts";
import { FunctionModel } from "../../testing/function-model.ts";
import { chat } from "./chat.ts";

const agent = new Agent({ name: "A", model: new FunctionModel(() => "Hello.") });

test("a connection that its peer resets ends the chat", async () => {
  const served = Promise.withResolvers<Socket>();
  const server = createServer((socket) => served.resolve(socket)).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("The server has no port.");
  const client = connect(address.port, "127.0.0.1");
  client.on("error", () => undefined);
  client.write("Hi\n");
  const socket = await served.promise;
  const outcome = chat(agent, { input: socket, output: socket });
  await once(client, "data");
  client.resetAndDestroy();
  expect(await outcome).toEqual({ failedTurns: 0 });
});

test.each([undefined, new Error("ECONNRESET")])(
  "an input that is destroyed with %s ends the chat",
  async (error) => {
    const input = new PassThrough();
    const output = new PassThrough();
    input.write("Hi\n");
    const outcome = chat(agent, { input, output });
    await once(output, "data");
    input.destroy(error);
    expect(await outcome).toEqual({ failedTurns: 0 });
    // Nothing of the chat is left on what its owner goes on with.
    expect([input.listenerCount("close"), output.listenerCount("error")]).toEqual([0, 1]);
  },
);

test("an output that breaks ends the chat, and the answer under way", async () => {
  const onRequest = vi.fn<(signal: AbortSignal | undefined) => void>();
  const model = new FunctionModel(
    ({ signal }) =>
      new Promise((_resolve, reject) => {
        onRequest(signal);
        signal?.addEventListener("abort", () => reject(signal.reason));
      }),
  );
  const input = new PassThrough();
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const outcome = chat(new Agent({ name: "A", model }), { input, output });
  input.write("Hi\n");
  await vi.waitFor(() => expect(onRequest).toHaveBeenCalled());
  output.destroy(new Error("EPIPE"));
  expect(await outcome).toEqual({ failedTurns: 0 });
  expect(onRequest.mock.calls[0]?.[0]?.aborted).toBe(true);
});
