/** Pieces of text that are not a text: an answer that has them is an error, not one that lacks them. */
import { describe, expect, test } from "vitest";
import { chatChunk, chatEnd, eventsOf, type WireEvent } from "./answers.ts";
import { expectError, outcomeOf } from "./hostile-server.ts";
import { protocols } from "./protocols.ts";

/** The events of an answer, in which one piece of text is something else on the wire. */
function withPiece(events: readonly WireEvent[], piece: unknown): WireEvent[] {
  const changed = JSON.stringify(events).replace('"first"', () => JSON.stringify(piece));
  return JSON.parse(changed);
}

const odd = [5, true, { text: "first" }, ["first"]];

describe.each(protocols.filter((protocol) => protocol !== "chat"))("%s", (protocol) => {
  const events = eventsOf(protocol, { id: "A", text: "firstother" });

  test.each(odd)("the piece %j is an error", async (piece) => {
    expectError(await outcomeOf(protocol, withPiece(events, piece)));
  });

  test("the pieces as they were are the text", async () => {
    const { result } = await outcomeOf(protocol, withPiece(events, "first"));
    expect(result).toMatchObject({ status: "completed", text: "firstother" });
  });
});

describe("chat", () => {
  test.each(odd)("the content %j is left out, and a warning tells it", async (content) => {
    const events = [
      chatChunk("A", { content }),
      chatChunk("A", { content: "other" }),
      ...chatEnd("A", "stop"),
    ];
    expect((await outcomeOf("chat", [...events, "[DONE]"])).result).toMatchObject({
      text: "other",
      warnings: [expect.stringContaining("Content that is not text is left out")],
    });
  });

  test.each(odd)("the part with the text %j is an error", async (text) => {
    const content = [{ type: "text", text }];
    expectError(await outcomeOf("chat", [chatChunk("A", { content }), ...chatEnd("A", "stop"), "[DONE]"]));
  });
});
