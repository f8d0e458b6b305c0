import { expect, type Mock, vi } from "vitest";
import type { Message } from "../../message/messages.ts";
import type { Model } from "../../model/types.ts";

const hello: readonly Message[] = [{ role: "user", content: "Hello" }];

/** A `fetch` that fails the request: for requests that must not be sent. */
export const refuseRequests: Mock<typeof globalThis.fetch> = vi.fn<typeof globalThis.fetch>(() =>
  Promise.reject(new Error("A request was sent.")),
);

/** What a model's stream throws. */
export function failureOf(model: Model, messages: readonly Message[] = hello): Promise<unknown> {
  return Array.fromAsync(model.stream({ messages })).then(
    () => expect.fail("nothing was thrown"),
    (error: unknown) => error,
  );
}

const unknownPart = [{ type: "image_url" }] as never;

/** Where an unknown part can stand, as the error names it, and the messages that hold it there. */
export const unknownParts: readonly (readonly [place: string, messages: readonly Message[]])[] = [
  ["a user's message", [{ role: "user", content: unknownPart }]],
  ["an assistant's message", [{ role: "assistant", content: unknownPart, toolCalls: [] }]],
  [
    "a result of look",
    [
      { role: "assistant", content: [], toolCalls: [{ toolCallId: "1", toolName: "look", arguments: "{}" }] },
      {
        role: "tool",
        result: {
          toolCallId: "1",
          toolName: "look",
          content: unknownPart,
          isError: false,
          outcome: "success",
        },
      },
    ],
  ],
];
