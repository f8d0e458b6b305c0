import { afterAll, beforeAll, expect, test } from "vitest";
import { ModelError } from "../../errors.ts";
import { openai } from "../../providers/openai/index.ts";
import { sse, startServer, type TestServer } from "../../providers/openai/test-server.ts";
import { generate } from "../../run/generate.ts";
import { type Chaos, chaosFetch } from "./index.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  const chunk = (delta: object, finish_reason: string | null = null): object => ({
    id: "c",
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason }],
  });
  const pieces = Array.from({ length: 40 }, (_, index) => chunk({ content: `word${index} ` }));
  server.answer({ chunks: [sse(...pieces, chunk({}, "stop"), "[DONE]")] });
});
afterAll(() => server.close());

async function outcomes(seed: number, rate: number, kinds?: readonly Chaos[]): Promise<string[]> {
  const seen: string[] = [];
  const onChaos = (kind: Chaos, request: number): void => void seen.push(`${request} ${kind}`);
  const fetch = chaosFetch({ seed, rate, onChaos, ...(kinds && { kinds }) });
  const model = openai("m", { baseURL: `${server.url}/v1`, apiKey: "key-for-tests", fetch });
  for (let request = 1; request <= 20; request++) {
    try {
      const { text } = await generate(model, { messages: "Hello", settings: { maxRetries: 0 } });
      seen.push(text.endsWith("word39 ") ? "whole" : "PART");
    } catch (error) {
      seen.push(error instanceof ModelError ? error.code : String(error));
    }
  }
  return seen;
}

test("the same seed disturbs the same requests in the same way", async () => {
  const first = await outcomes(5, 0.5);
  expect(await outcomes(5, 0.5)).toEqual(first);
  expect(await outcomes(6, 0.5)).not.toEqual(first);
});

test("a rate of 0 disturbs nothing, one of 1 everything", async () => {
  expect(new Set(await outcomes(1, 0))).toEqual(new Set(["whole"]));
  expect((await outcomes(1, 1)).filter((entry) => entry.includes(" "))).toHaveLength(20);
});

test.each([
  ["rate-limit", "rate-limit"],
  ["server-error", "overloaded"],
  ["html", "overloaded"],
  ["empty", "malformed-response"],
  ["malformed", "malformed-response"],
  ["network", "network"],
  ["cut", "network"],
  ["truncated", "malformed-response"],
  ["drip", "whole"],
] satisfies [Chaos, string][])("%s ends as %s", async (kind, outcome) => {
  const seen = (await outcomes(2, 1, [kind])).filter((entry) => !entry.includes(" "));
  expect(new Set(seen)).toEqual(new Set([outcome]));
});
