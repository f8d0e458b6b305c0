/** Servers of the Responses API that count, name and repeat their items in ways of their own: a call is executed once. */
import { describe, expect, test } from "vitest";
import type { WireEvent } from "./answers.ts";
import { expectError, expectOnce, meant, meantText, outcomeOf, outcomeOfWhole } from "./hostile-server.ts";

describe("responses", () => {
  const item = {
    type: "function_call",
    id: "fc_1",
    call_id: "a",
    name: "act",
    arguments: meantText,
    status: "completed",
  };
  const openItem = { ...item, arguments: "", status: "in_progress" };
  const added = (more: object = {}, changes: object = {}): WireEvent => ({
    type: "response.output_item.added",
    ...more,
    item: { ...openItem, ...changes },
  });
  const delta = (text: string, more: object = {}): WireEvent => ({
    type: "response.function_call_arguments.delta",
    delta: text,
    ...more,
  });
  const done = (more: object = {}, changes: object = {}): WireEvent => ({
    type: "response.output_item.done",
    ...more,
    item: { ...item, ...changes },
  });
  const completed = (...output: object[]): WireEvent => ({
    type: "response.completed",
    response: { status: "completed", output },
  });
  const at = (index: number | string, itemId = "fc_1"): object => ({ output_index: index, item_id: itemId });
  const pieces = (more: object): WireEvent[] => [
    delta(meantText.slice(0, 9), more),
    delta(meantText.slice(9), more),
  ];

  test.each<readonly [string, readonly WireEvent[]]>([
    ["counts its output from 1", [added(at(1)), ...pieces(at(1)), done(at(1)), completed(item)]],
    ["counts its output from 7", [added(at(7)), ...pieces(at(7)), done(at(7)), completed(item)]],
    [
      "names the place at the start only",
      [added(at(0)), ...pieces({ item_id: "fc_1" }), done(), completed(item)],
    ],
    [
      "names the place at the end only",
      [added(), ...pieces({ item_id: "fc_1" }), done(at(0)), completed(item)],
    ],
    [
      "names no place and no id",
      [added({}, { id: "" }), ...pieces({}), done({}, { id: "" }), completed({ ...item, id: "" })],
    ],
    ["moves the call", [added(at(0)), ...pieces(at(0)), done(at(1)), completed(item)]],
    ["moves the call twice", [added(at(2)), ...pieces(at(2)), done(at(1)), completed({}, item)]],
    ["writes the place as text at the end", [added(at(1)), ...pieces(at(1)), done(at("1")), completed(item)]],
    [
      "changes the id of the item each time, without a place",
      [
        added({}, { id: "x1" }),
        delta(meantText, { item_id: "x2" }),
        done({}, { id: "x3" }),
        completed({ ...item, id: "x4" }),
      ],
    ],
    [
      "changes the id of the item each time, with places from 1",
      [
        added(at(1, "x1"), { id: "x1" }),
        ...pieces(at(1, "x2")),
        done(at(1, "x3"), { id: "x3" }),
        completed({ ...item, id: "x4" }),
      ],
    ],
    [
      "names the call at the end only",
      [added(at(0), { call_id: "" }), ...pieces(at(0)), done(at(0)), completed(item)],
    ],
    [
      "names the call at the start only",
      [added(at(0)), ...pieces(at(0)), done(at(0), { call_id: "" }), completed(item)],
    ],
    [
      "changes the id of the call at the end",
      [added(at(0)), ...pieces(at(0)), done(at(0), { call_id: "b" }), completed({ ...item, call_id: "b" })],
    ],
    [
      "changes the id of the call in its list",
      [added(at(0)), ...pieces(at(0)), done(at(0)), completed({ ...item, call_id: "c" })],
    ],
    [
      "changes every id, and counts from 1",
      [
        added(at(1)),
        ...pieces(at(1)),
        done(at(1), { id: "y", call_id: "b" }),
        completed({ ...item, id: "z", call_id: "c" }),
      ],
    ],
    ["sends the end twice", [added(at(0)), ...pieces(at(0)), done(at(0)), done(at(0)), completed(item)]],
    [
      "sends the end twice, at two places",
      [added(at(0)), ...pieces(at(0)), done(at(0)), done(at(1)), completed(item)],
    ],
    ["sends the start twice", [added(at(0)), added(at(0)), ...pieces(at(0)), done(at(0)), completed(item)]],
    [
      "sends all of it twice",
      [
        added(at(0)),
        ...pieces(at(0)),
        done(at(0)),
        added(at(1)),
        ...pieces(at(1)),
        done(at(1)),
        completed(item),
      ],
    ],
    ["lists it twice", [completed(item, item)]],
    [
      "lists more before it than it sent",
      [added(at(0)), ...pieces(at(0)), done(at(0)), completed({ type: "reasoning", id: "rs" }, item)],
    ],
    [
      "lists it without its id",
      [added(at(1)), ...pieces(at(1)), done(at(1)), completed({ ...item, id: "", call_id: "" })],
    ],
  ])("a server that %s: the call is executed once", async (_, events) => {
    expectOnce(await outcomeOf("responses", events));
  });

  test("a text that is counted from 1 comes once", async () => {
    const message = { type: "message", id: "m", content: [{ type: "output_text", text: "Hello" }] };
    const events = [
      { type: "response.output_item.added", output_index: 1, item: { ...message, content: [] } },
      { type: "response.output_text.delta", output_index: 1, content_index: 0, delta: "Hello" },
      { type: "response.output_item.done", output_index: 1, item: message },
      completed({ ...message, id: "other" }),
    ];
    expect((await outcomeOf("responses", events)).result?.text).toBe("Hello");
  });

  test("two calls that are alike but for their ids are two", async () => {
    const second = { id: "fc_2", call_id: "b" };
    const events = [
      added(at(1)),
      ...pieces(at(1)),
      done(at(1)),
      added(at(2, "fc_2"), second),
      ...pieces(at(2, "fc_2")),
      done(at(2, "fc_2"), second),
      completed(item, { ...item, ...second }),
    ];
    expect((await outcomeOf("responses", events)).inputs).toEqual([meant, meant]);
    const listed = await outcomeOf("responses", [completed(item, { ...item, ...second })]);
    expect(listed.inputs).toEqual([meant, meant]);
  });

  test("pieces that may be of either of two calls are an error", async () => {
    const events = [
      added({}, { id: "" }),
      added({}, { id: "", call_id: "b" }),
      delta(meantText),
      completed(),
    ];
    expectError(await outcomeOf("responses", events));
  });

  test("a whole answer with the call twice executes it once", async () => {
    expectOnce(
      await outcomeOfWhole("responses", { object: "response", status: "completed", output: [item, item] }),
    );
  });
});
