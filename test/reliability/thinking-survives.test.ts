import { expect, test } from "vitest";
import { sealed, streamed, type Answer } from "../providers/answers.ts";
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
