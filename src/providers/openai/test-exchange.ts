import type { Generation, ModelEvent, ModelRequest } from "../../model/types.ts";
import { openai } from "./openai.ts";
import type { OpenAIOptions } from "./options.ts";
import { type Answer, sse, startServer, type TestServer } from "./test-server.ts";

/** One protocol's adapter, talking to a real server on this machine. */
export interface TestExchange {
  readonly server: TestServer;
  /** Sends a request and returns the body that the server received. */
  bodyOf(request: Partial<ModelRequest>, options?: OpenAIOptions): Promise<Record<string, unknown>>;
  /** All events of an answer. */
  eventsOf(
    answer: Answer | readonly (object | string)[],
    request?: Partial<ModelRequest>,
  ): Promise<ModelEvent[]>;
  /** The generation of an answer. */
  generationOf(
    answer: Answer | readonly (object | string)[],
    request?: Partial<ModelRequest>,
  ): Promise<Generation>;
  stream(request: Partial<ModelRequest>, options?: OpenAIOptions): AsyncIterable<ModelEvent>;
}

/** Starts a server and an adapter for it. `whole` is a complete answer. */
export async function startExchange(protocol: "chat" | "responses", whole: object): Promise<TestExchange> {
  const server = await startServer();
  const stream: TestExchange["stream"] = (request, options = {}) => {
    const all = { baseURL: `${server.url}/v1`, apiKey: "key-for-tests", ...options };
    const model = protocol === "chat" ? openai("some-model", all) : openai.responses("some-model", all);
    return model.stream({ messages: [{ role: "user", content: "Hello" }], ...request });
  };
  const eventsOf: TestExchange["eventsOf"] = (answer, request = {}) => {
    server.answer("length" in answer ? { chunks: [sse(...answer)] } : answer);
    return Array.fromAsync(stream(request));
  };
  return {
    server,
    stream,
    eventsOf,
    async generationOf(answer, request) {
      const last = (await eventsOf(answer, request)).at(-1);
      if (last?.type !== "finish") throw new Error("The last event is not a finish event.");
      return last.generation;
    },
    async bodyOf(request, options) {
      server.answer({ type: "application/json", chunks: [JSON.stringify(whole)] });
      await Array.fromAsync(stream(request, options));
      const last = server.received.at(-1);
      if (!last) throw new Error("The server received no request.");
      return last.body;
    },
  };
}
