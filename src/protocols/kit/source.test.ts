import { Agent, ConfigurationError, run } from "skein";
import {
  toAgUiEvents,
  toAgUiMessages,
  toAgUiResponse,
  toChatCompletion,
  toChatCompletionChunks,
  toChatCompletionResponse,
  toEventStream,
  toResponse,
  toResponseEvents,
  toResponsesResponse,
  toUIMessageChunks,
  toUIMessageResponse,
  toUIMessages,
} from "skein/protocols";
import { ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";

/** What somebody may pass who does not have the types, or has forgotten something: `await`, `stream` in place of `run`. */
const wrong = (): readonly unknown[] => [
  undefined,
  null,
  {},
  "events",
  run(new Agent({ name: "A", model: new ScriptedModel(["Hi."]) }), "Hello"),
];

const named = { threadId: "t", runId: "r" };

const encoders = {
  toAgUiEvents: (source) => toAgUiEvents(source, named),
  toAgUiResponse: (source) => toAgUiResponse(source, named),
  toChatCompletion: (source) => toChatCompletion(source, { model: "m" }),
  toChatCompletionChunks: (source) => toChatCompletionChunks(source, { model: "m" }),
  toChatCompletionResponse: (source) => toChatCompletionResponse(source, { model: "m" }),
  toEventStream: (source) => toEventStream(source),
  toResponse: (source) => toResponse(source, { model: "m" }),
  toResponseEvents: (source) => toResponseEvents(source, { model: "m" }),
  toResponsesResponse: (source) => toResponsesResponse(source, { model: "m" }),
  toUIMessageChunks: (source) => toUIMessageChunks(source),
  toUIMessageResponse: (source) => toUIMessageResponse(source),
  toUIMessages: (source) => toUIMessages(source),
  toAgUiMessages: (source) => toAgUiMessages(source),
} satisfies Record<string, (source: never) => unknown>;

test.each(Object.entries(encoders))("%s refuses what has no events", async (_, encode) => {
  for (const source of wrong()) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what programs without types pass
    const attempt = async (): Promise<unknown> => encode(source as never);
    await expect(attempt()).rejects.toThrow(ConfigurationError);
    await expect(attempt()).rejects.toThrow(/must be (?:what stream\(\) returns|a list)/);
  }
});

test.each([toAgUiResponse, toChatCompletionResponse, toResponsesResponse])(
  "%o refuses to be called without options",
  async (respond) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what programs without types pass
    const attempt = async (): Promise<unknown> => respond(new ScriptedModel([]) as never, undefined as never);
    await expect(attempt()).rejects.toThrow(ConfigurationError);
  },
);
