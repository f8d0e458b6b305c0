/** What durable runs have beside others: processes that die, and pauses that no client ends. */
import { expect, test } from "vitest";
import { source } from "../kit/test-random-runs.ts";
import { dropped, restarted, waitsForSign } from "../kit/test-stored-events.ts";
import { toChatCompletion, toChatCompletionChunks } from "./to-chat-completion.ts";

test("what was streamed cannot be taken back: the second attempt is another text", async () => {
  let text = "";
  for await (const chunk of toChatCompletionChunks(source(restarted), { model: "m" }))
    text += "choices" in chunk ? (chunk.choices[0]?.delta.content ?? "") : "";
  expect(text).toBe("Hell\n\nGood day.");
});

test("an attempt without visible text leaves nothing behind", async () => {
  const silent = restarted.map((event) =>
    event.type === "text-delta" && event.index < 5 ? { ...event, type: "reasoning-delta" as const } : event,
  );
  let text = "";
  for await (const chunk of toChatCompletionChunks(source(silent), { model: "m" }))
    text += "choices" in chunk ? (chunk.choices[0]?.delta.content ?? "") : "";
  expect(text).toBe("Good day.");
});

test("an answer that was not streamed has the second attempt alone", async () => {
  const { choices } = await toChatCompletion(source(restarted), { model: "m" });
  expect(choices[0]?.message.content).toBe("Good day.");
});

test("a call of another tool than the client's is an error", async () => {
  const mine = await toChatCompletion(source([waitsForSign]), { model: "m", tools: ["sign"] });
  expect(mine.choices[0]).toMatchObject({
    finish_reason: "tool_calls",
    message: { tool_calls: [{ id: "c1" }] },
  });
  const other = toChatCompletion(source([waitsForSign]), { model: "m", tools: [] });
  await expect(other).rejects.toMatchObject({ code: "paused" });
});

test("a reader that was too slow gets an error instead of an answer with a hole", async () => {
  await expect(toChatCompletion(source(dropped), { model: "m" })).rejects.toMatchObject({
    code: "events-dropped",
  });
});
