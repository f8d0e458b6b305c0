/** Half of an emoji, as `slice` leaves it: a server refuses a request that has one, and each later one of its conversation. */
import { expect, test } from "vitest";
import { Agent, run, tool } from "skein";
import { piecesOf } from "./ai-sdk-answers.ts";
import { elders, lineup } from "./lineup.ts";
import { serve } from "./local-server.ts";

const half = "😀".slice(0, 1);

const look = tool<{ word: string }>({
  name: "look",
  description: `Look at ${half}.`,
  input: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
  execute: ({ word }) => `Great ${word}${half}`,
});

test.each([...lineup, ...elders])(
  "$name: no request has half of a character, of whatever it is a part",
  async ({ wire, model, settings }) => {
    await using server = await serve((index) => ({
      pieces: piecesOf(
        wire,
        index === 0
          ? { id: "a", calls: [{ id: "call_1", name: "look", arguments: JSON.stringify({ word: half }) }] }
          : { id: `b${index}`, text: `Fine ${half}` },
      ),
    }));
    const agent = new Agent({
      name: "Reader",
      instructions: `Read ${half}.`,
      model: model(server.url),
      tools: [look],
      ...(settings && { settings }),
    });
    const first = await run(agent, `Is it 😀 or ${half}?`);
    const messages = [...first.state.messages, { role: "user", content: "And now?" } as const];
    expect(await run(agent, messages)).toMatchObject({ status: "completed" });
    expect(server.received).toHaveLength(3);
    for (const { text } of server.received) {
      const values = JSON.stringify(JSON.parse(text));
      expect(values).toContain("😀");
      expect(values).toContain("\ufffd");
      expect(values).not.toMatch(/\\ud[89a-f]/i);
    }
  },
);
