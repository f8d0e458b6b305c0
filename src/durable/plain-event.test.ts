import { Agent, type RunEvent, run, tool } from "skein";
import { ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";
import { storedEvent } from "./plain-event.ts";

/** What JSON has of an event, with another index. */
const byJson = (event: RunEvent): unknown => ({ ...JSON.parse(JSON.stringify(event)), index: 7 });

const texts = ["", "Hello", "é 漢字 👍", '"quoted" \\ back\n', "\u0000 and \u001F", "\uD800 alone", "\u2028"];

test.each(texts)("a piece of text is stored as JSON has it: %j", (text) => {
  const event: RunEvent = { type: "text-delta", agent: "A", text, index: 3 };
  const { stored, characters } = storedEvent(event, 7);
  expect(stored).toEqual(byJson(event));
  // By a third at most, and the fields that are texts may be twice as long in JSON.
  expect(JSON.stringify(stored).length).toBeLessThanOrEqual(2 * characters);
});

test("all events of a run are stored as JSON has them, and share nothing with it", async () => {
  const look = tool({
    name: "look",
    input: { type: "object", properties: { place: { type: "string" } } },
    execute: ({ place }) => {
      if (place === "Rome") throw new Error("closed");
      return { place };
    },
  });
  const calls = ["Rome", "Oslo"].map((place) => ({ toolName: "look", arguments: { place } }));
  const agent = new Agent({
    name: "A",
    model: new ScriptedModel([{ text: "Let me see.", toolCalls: calls }, "Done."]),
    tools: [look],
  });
  const events: RunEvent[] = [];
  await run(agent, "Go", { context: { secret: "s" }, onEvent: (event) => events.push(event) });
  expect(new Set(events.map(({ type }) => type))).toContain("tool-input-delta");
  for (const event of events) {
    const { stored } = storedEvent(event, 7);
    expect(stored).toEqual(byJson(event));
    expect(Object.keys(stored)).toEqual(Object.keys(JSON.parse(JSON.stringify(event))));
    expect(stored).not.toHaveProperty("partial");
  }
});

test("an event that says how it is written as JSON is written so", () => {
  const event: RunEvent = { type: "text-delta", agent: "A", text: "secret", index: 3 };
  const shown = Object.defineProperty({ ...event }, "toJSON", { value: () => ({ ...event, text: "shown" }) });
  expect(storedEvent(shown, 7).stored).toMatchObject({ text: "shown", index: 7 });
});
