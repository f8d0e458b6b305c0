import { expect, test } from "vitest";
import { Agent, NameClashError, run, tool } from "skein";
import { ScriptedModel } from "skein/testing";

const anything = { type: "object", additionalProperties: true } as const;

test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
  "a tool may be called %s",
  async (name) => {
    const model = new ScriptedModel([{ toolCalls: [{ toolName: name, arguments: {} }] }, "done"]);
    const agent = new Agent({
      name: "A",
      model,
      tools: [tool({ name, input: anything, execute: () => "called" })],
    });
    const result = await run(agent, "go");
    expect(result.messages[1]).toMatchObject({ result: { toolName: name, outcome: "success" } });
  },
);

test.each(["__proto__", "constructor", "toString"])(
  "%s is an unknown tool unless there is one of that name",
  async (name) => {
    const model = new ScriptedModel([{ toolCalls: [{ toolName: name, arguments: {} }] }, "done"]);
    const agent = new Agent({
      name: "A",
      model,
      tools: [tool({ name: "real", input: anything, execute: () => 1 })],
    });
    expect((await run(agent, "go")).messages[1]).toMatchObject({ result: { outcome: "unknown-tool" } });
  },
);

test("an argument key __proto__ is dropped, the call proceeds, and nothing is polluted", async () => {
  let received: unknown;
  const model = new ScriptedModel([
    {
      toolCalls: [
        {
          toolName: "keep",
          arguments: '{"a": {"__proto__": {"admin": true}}, "__proto__": {"admin": true}}',
        },
      ],
    },
    "done",
  ]);
  const keep = tool({
    name: "keep",
    input: anything,
    execute: (input) => {
      received = input;
      return "kept";
    },
  });
  const result = await run(new Agent({ name: "A", model, tools: [keep] }), "go");
  expect(result.messages[1]).toMatchObject({ result: { outcome: "success" } });
  expect(received).toEqual({ a: {} });
  expect(Object.hasOwn(received as object, "__proto__")).toBe(false);
  expect((received as { admin?: unknown }).admin).toBeUndefined();
  expect(({} as { admin?: unknown }).admin).toBeUndefined();
});

function book() {
  return "booked";
}

test("two tools of one name are an error when the agent is made, naming both places", () => {
  const other = tool({ name: "book", input: anything, execute: () => "other" });
  expect(() => new Agent({ name: "A", tools: [book, other] })).toThrow(NameClashError);
  expect(() => new Agent({ name: "A", tools: [book, other] })).toThrow(
    /tools\[0\] of the agent A \(the function book\).*tools\[1\]/s,
  );
});

test("a record gives tools their names", async () => {
  const other = tool({ name: "book", input: anything, execute: () => "other" });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "reserve" }] }, "done"]);
  const agent = new Agent({
    name: "A",
    model,
    tools: { reserve: other, book: tool({ name: "x", input: anything }) },
  });
  await run(agent, "go");
  expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(["reserve", "book"]);
});

test("a tool and a handoff of one name are an error that names both", async () => {
  const target = new Agent({ name: "Sales" });
  const fake = tool({ name: "transfer_to_sales", input: anything, execute: () => "fake" });
  const agent = new Agent({ name: "A", model: new ScriptedModel([]), tools: [fake], handoffs: [target] });
  await expect(run(agent, "go")).rejects.toThrow(/tools\[0\].*handoffs\[0\] \(the agent Sales\)/s);
});
