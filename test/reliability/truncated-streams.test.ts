import { expect, test } from "vitest";
import { Agent, ModelError, stream } from "skein";
import { streamed } from "../providers/answers.ts";
import { serve, type Reply } from "../providers/local-server.ts";
import { modelOver, protocols, type Protocol } from "../providers/protocols.ts";
import { eventsOf, noting } from "./kit.ts";

const answer = {
  id: "a",
  text: "This takes several pieces.",
  calls: [{ id: "one", name: "look", arguments: '{"n":1}' }],
};

/** Runs over a server that sends `replies` in turn, then an answer that is whole. */
async function follow(protocol: Protocol, replies: readonly Reply[]) {
  const done: string[] = [];
  await using server = await serve(
    (index) => replies[index] ?? streamed(protocol, { id: "end", text: "Done." }),
  );
  const agent = new Agent({ name: "A", model: modelOver(protocol, server), tools: [noting(done, "look")] });
  const running = stream(agent, "Go.");
  const events = await eventsOf(running);
  const text = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : [])).join("");
  const [outcome] = await Promise.allSettled([running.result]);
  return { done, text, outcome, requests: server.received.length };
}

test.each(protocols)(
  "a stream that ends too soon at any place is an error, and is not requested again after its first event: %s",
  async (protocol) => {
    const { pieces } = streamed(protocol, answer);
    // What comes before the first piece of text, and the last words of an answer that is complete, are other matters.
    const first = pieces.findIndex((piece) => piece.includes("This")) + 1;
    const last = pieces.findLastIndex((piece) =>
      /"finish_reason":"|"finishReason":|response.completed|message_stop/.test(piece),
    );
    expect(last - first).toBeGreaterThan(5);
    for (let length = first; length <= last; length += 3) {
      for (const end of ["orderly", "cut"] as const) {
        const { done, text, outcome, requests } = await follow(protocol, [
          { pieces: pieces.slice(0, length), end },
        ]);
        expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(ModelError) });
        expect({ done, requests }).toEqual({ done: [], requests: 1 });
        expect(answer.text.startsWith(text)).toBe(true);
      }
    }
  },
);

test.each(protocols)("retries an answer that broke before its first event: %s", async (protocol) => {
  const { text, outcome, requests } = await follow(protocol, [{ pieces: [], end: "cut" }]);
  expect({ text, requests }).toEqual({ text: "Done.", requests: 2 });
  expect(outcome.status).toBe("fulfilled");
});
