import { expect } from "vitest";
import { directClient } from "../kit/test-openai-server.ts";
import { eventsOf, type RandomRun, secret, source, startRun, withRestart } from "../kit/test-random-runs.ts";
import { toChatCompletion, toChatCompletionChunks, toChatCompletionResponse } from "./to-chat-completion.ts";

/** Checks that the official client reads a run as Chat Completions, streamed and whole, with or without a restart in it. */
export async function expectChatCompletion(plan: RandomRun, restartAt: number | undefined): Promise<void> {
  const all = await eventsOf(startRun(plan));
  const events = restartAt === undefined ? all : withRestart(all, restartAt);
  const end = all.at(-1);
  const options = { model: "m", id: "chatcmpl-1", createdAt: 0, includeUsage: true, output: plan.isTyped };
  const whole = await toChatCompletion(source(events), options).catch((error: unknown) => error);
  const chunks = await Array.fromAsync(toChatCompletionChunks(source(events), options));
  expect(JSON.stringify([whole, chunks])).not.toContain(secret);
  // Nor in pieces.
  const deltas = chunks.flatMap((chunk) =>
    "choices" in chunk ? chunk.choices.map(({ delta }) => delta) : [],
  );
  expect(deltas.map((delta) => Object.values(delta).join("")).join("")).not.toContain(`${secret}-t`);
  expect(chunks.filter((chunk) => "error" in chunk)).toHaveLength(whole instanceof Error ? 1 : 0);

  const client = directClient(() => toChatCompletionResponse(source(events), { ...options, stream: true }));
  const helper = client.chat.completions.stream({
    model: "m",
    messages: [],
    stream_options: { include_usage: true },
  });
  const streamed = await helper.finalChatCompletion().catch((error: unknown) => error);
  if (whole instanceof Error) {
    expect(streamed).toMatchObject({ code: (whole as Error & { code: string }).code });
    return;
  }
  if (streamed instanceof Error) throw streamed;
  const { choices, usage } = whole as Awaited<ReturnType<typeof toChatCompletion>>;
  const [choice] = choices;
  const message = { ...choice?.message, content: choice?.message.content ?? "" };
  const text = end?.type === "run-end" ? (end.result?.text ?? "") : "";
  // What was streamed of a turn that was done again is there twice; but a whole answer is without it.
  const isExact = restartAt === undefined;
  expect(message.content.endsWith(text)).toBe(true);
  expect(streamed).toMatchObject({
    usage,
    choices: [{ finish_reason: choice?.finish_reason, message: isExact ? message : { role: "assistant" } }],
  });
  expect(contentOf(streamed).endsWith(text)).toBe(true);
}

function contentOf(completion: unknown): string {
  const { choices } = completion as { choices: { message: { content: string | null } }[] };
  return choices[0]?.message.content ?? "";
}
