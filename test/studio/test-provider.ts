/** A provider on 127.0.0.1 that speaks Chat Completions, and notes the bytes that it receives. */
import { createServer } from "node:http";

/** What the provider answers with: a text, or calls. */
export type Answer = string | readonly { readonly name: string; readonly arguments: string }[];

/** A provider that runs. */
export interface TestProvider extends AsyncDisposable {
  readonly baseURL: string;
  /** The bodies, byte for byte as they came. */
  readonly bodies: string[];
  readonly keys: (string | undefined)[];
}

/** Opens a provider that gives these answers, one after the other; the last one again and again. */
export async function openProvider(answers: readonly Answer[], cachedTokens?: number): Promise<TestProvider> {
  const bodies: string[] = [];
  const keys: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces).toString("utf8");
    bodies.push(body);
    keys.push(request.headers.authorization);
    const { model }: { readonly model: string } = JSON.parse(body);
    const answer = answers[Math.min(bodies.length, answers.length) - 1] ?? "";
    response.writeHead(200, { "content-type": "text/event-stream" });
    const chunk = (delta: object, rest: object = {}): void =>
      void response.write(
        `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model, choices: [{ index: 0, delta, ...rest }] })}\n\n`,
      );
    if (typeof answer === "string") for (const word of answer.split(/(?<= )/)) chunk({ content: word });
    else
      answer.forEach(({ name, arguments: text }, index) =>
        chunk({
          tool_calls: [
            {
              index,
              id: `call_${bodies.length}_${index}`,
              type: "function",
              function: { name, arguments: text },
            },
          ],
        }),
      );
    chunk({}, { finish_reason: typeof answer === "string" ? "stop" : "tool_calls" });
    const prompt = Math.ceil(body.length / 4);
    const details =
      cachedTokens === undefined
        ? {}
        : { prompt_tokens_details: { cached_tokens: Math.min(cachedTokens, prompt) } };
    const usage = { prompt_tokens: prompt, completion_tokens: 5, total_tokens: prompt + 5, ...details };
    response.write(
      `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model, choices: [], usage })}\n\n`,
    );
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    bodies,
    keys,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
