import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Agent, OverloadedError, RateLimitError, run } from "skein";
import { lineup } from "./lineup.ts";

/**
 * Gives the secret code of a bird.
 * @param bird - Such as "heron"
 */
function lookUpCode(bird: string): string {
  return `${bird}: K7-4492`;
}

const mock = new LLMock({ port: 0, chunkSize: 3 });
const guests = lineup.filter(({ name }) => name.startsWith("ai-sdk"));

beforeAll(async () => {
  mock.onMessage("slow down", { error: { message: "Too many.", type: "rate_limit_error" }, status: 429 });
  mock.onMessage("break", { error: { message: "Broken", type: "server_error" }, status: 500 });
  mock.on(
    { userMessage: "heron", hasToolResult: false },
    { content: "I look.", toolCalls: [{ name: "lookUpCode", arguments: '{"bird":"heron"}' }] },
  );
  mock.on({ userMessage: "heron", hasToolResult: true }, { content: "It is K7-4492. 🦢" });
  await mock.start();
});
afterAll(() => mock.stop());

test.each(guests)(
  "$name works with an independent imitation of its provider",
  async ({ model, settings }) => {
    const agent = new Agent({
      name: "Librarian",
      model: model(mock.url),
      tools: [lookUpCode],
      settings: { ...settings, maxRetries: 0 },
    });
    const outcome = await run(agent, "What is the code of the heron?");
    expect(outcome).toMatchObject({
      status: "completed",
      turns: 2,
      text: "It is K7-4492. 🦢",
      finishReason: "stop",
    });
    const results = outcome.messages.flatMap((message) =>
      message.role === "tool" ? message.result.content : [],
    );
    expect(results).toEqual([{ type: "text", text: "heron: K7-4492" }]);
    await expect(run(agent, "slow down")).rejects.toBeInstanceOf(RateLimitError);
    await expect(run(agent, "break")).rejects.toBeInstanceOf(OverloadedError);
  },
);
