import { describe, expect, test } from "vitest";
import type { Message } from "../../message/messages.ts";
import type { ModelRequest } from "../../model/types.ts";
import { ScriptedModel } from "skein/testing";
import { boundedSummary, summarize } from "./summarize.ts";

const { signal } = new AbortController();

/** What a model is shown of messages, in `limit` tokens. */
async function shown(messages: readonly Message[], limit = 1_000_000): Promise<string> {
  const requests: ModelRequest[] = [];
  await summarize(messages, new ScriptedModel([]), limit, signal, async (_, request) => {
    requests.push(request);
    throw new Error("asked");
  }).catch(() => undefined);
  const [message] = requests[0]?.messages ?? [];
  return message?.role === "user" && typeof message.content === "string" ? message.content : "";
}

const user = (content: string): Message => ({ role: "user", content });

describe("what a model sums up", () => {
  test("is each message with who wrote it", async () => {
    const toolCalls = [{ toolCallId: "c", toolName: "look", arguments: '{"at":1}' }];
    const text = (words: string) => [{ type: "text", text: words }] as const;
    const result = { toolCallId: "c", toolName: "look", content: text("Rain."), isError: false } as const;
    const parts = [
      ...text("See:"),
      { type: "image", url: "data:secret" },
      { type: "reasoning", text: "Hm." },
    ] as const;
    expect(
      await shown([
        { role: "system", content: "Be brief." },
        user("Weather?"),
        { role: "assistant", content: text("I look."), toolCalls, agent: "Scout" },
        { role: "tool", result: { ...result, outcome: "success" } },
        { role: "tool", result: { ...result, isError: true, outcome: "error" } },
        { role: "assistant", content: parts, toolCalls: [] },
      ]),
    ).toBe(
      [
        "System: Be brief.",
        "User: Weather?",
        'Scout: I look.\nCall of look: {"at":1}',
        "Result of look: Rain.",
        "Error of look: Rain.",
        "Assistant: See:\n[image]",
      ].join("\n\n"),
    );
  });

  test("has 4,000 characters of each text, but all of an earlier summary", async () => {
    const long = "x".repeat(4_001);
    expect(await shown([user(long.slice(1))])).toBe(`User: ${long.slice(1)}`);
    expect(await shown([user(long)])).toContain("left out");
    expect(await shown([{ role: "user", content: long, summaryOf: 7 }])).toBe(long);
  });

  test("has three characters for each token of the limit", async () => {
    const text = `User: ${"x".repeat(594)}`;
    expect(await shown([user(text.slice(6))], 200)).toBe(text);
    expect(await shown([user(text.slice(6))], 199)).toContain("left out");
  });
});

describe("a summary", () => {
  const sum = (text: unknown) =>
    summarize(
      [user("Hi")],
      // @ts-expect-error -- what a program returns may be anything
      () => text,
      100,
      signal,
      () => Promise.reject(new Error("no model is asked")),
    );

  test("is a text without the blanks around it, and not empty", async () => {
    expect(await sum(" notes\n")).toEqual({ text: "notes" });
    for (const none of [" \n", 7, undefined])
      await expect(sum(none)).rejects.toThrow("no text in the summary");
  });

  test("takes half of the room at most, though 400 characters in any case", () => {
    const text = "x".repeat(2_000);
    expect(boundedSummary(text, 1_000)).toEqual({ text, isCut: false });
    const lettersLeft = (room: number) => boundedSummary(text, room).text.replaceAll(/[^x]/g, "").length;
    expect(boundedSummary(text, 999).isCut).toBe(true);
    expect([lettersLeft(999), lettersLeft(0)]).toEqual([1_998, 400]);
    expect(boundedSummary("x".repeat(400), 0)).toEqual({ text: "x".repeat(400), isCut: false });
    expect(boundedSummary("x".repeat(401), 0)).toMatchObject({ isCut: true });
  });
});
