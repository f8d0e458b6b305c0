import { expect, test } from "vitest";
import { eventsOf, framed, sealed, streamed, type Answer, type WireEvent } from "../providers/answers.ts";
import { protocols } from "../providers/protocols.ts";
import { noting, resultOf, runOver } from "./kit.ts";

const answers: readonly Answer[] = [1, 2].map((n) => ({
  id: `turn${n}`,
  reasoning: `Thought ${n}:\n"é" → 🦢`,
  calls: [{ id: `call_${n}`, name: "look", arguments: `{"n":${n}}` }],
}));

test.each(protocols)(
  "what a model has thought goes back to it to the byte, in each request once: %s",
  async (protocol) => {
    const replies = [...answers, { id: "end", text: "Done." }].map((answer) => streamed(protocol, answer));
    const { outcome, received } = await runOver(protocol, replies, [noting([], "look")]);
    expect(resultOf(outcome).text).toBe("Done.");
    for (const [index, { text }] of received.entries()) {
      for (const seal of answers.slice(0, index).flatMap((answer) => sealed(protocol, answer)))
        expect(text.split(seal)).toHaveLength(2);
    }
    expect(received).toHaveLength(3);
  },
);

/** The same events, the signature of a thought in pieces. */
function withCutSignatures(events: readonly WireEvent[]): WireEvent[] {
  return events.flatMap((event) => {
    const signature = "delta" in event ? Object(event["delta"]).signature : undefined;
    if (typeof signature !== "string") return [event];
    return [signature.slice(0, 7), signature.slice(7)].map((piece) => ({
      ...event,
      delta: { type: "signature_delta", signature: piece },
    }));
  });
}

test("a signature that comes in pieces goes back whole", async () => {
  const [answer = { id: "none" }] = answers;
  const events = eventsOf("messages", answer);
  const cut = withCutSignatures(events);
  expect(cut).toHaveLength(events.length + 1);
  const replies = [{ pieces: framed("messages", cut) }, streamed("messages", { id: "end", text: "Done." })];
  const { outcome, received } = await runOver("messages", replies, [noting([], "look")]);
  expect(resultOf(outcome).text).toBe("Done.");
  for (const seal of sealed("messages", answer)) expect(received[1]?.text.split(seal)).toHaveLength(2);
});
