import { describe, expect, test } from "vitest";
import { Agent, generateStream, run, stream, tool, type Model, type ModelEvent, type RunEvent } from "skein";
import { GenerationBuilder } from "./generation-builder.ts";

const draw = tool({ name: "draw", input: { type: "object" }, execute: () => "drawn" });

/** One piece of the arguments of a call. */
type Piece = readonly [toolCallId: string, text: string];

/** A model that calls `draw` with arguments in pieces, a call's end being the piece `END`, and then answers. */
function modelOf(pieces: readonly Piece[]): Model {
  return {
    provider: "test",
    modelId: "pieces",
    async *stream({ messages }): AsyncGenerator<ModelEvent> {
      const builder = new GenerationBuilder();
      const isDone = messages.at(-1)?.role === "tool";
      for (const [id, text] of isDone ? [] : pieces) {
        if (text === END) {
          yield builder.endToolCall(id);
          continue;
        }
        if (!builder.hasOpenToolCall(id)) builder.startToolCall(id, id, "draw");
        yield builder.toolInput(id, text);
      }
      const response = { id: undefined, modelId: "pieces", headers: {} };
      yield builder.finish({ finishReason: isDone ? "stop" : "tool-calls", response });
    },
  };
}

const END = "";
const two: readonly Piece[] = [
  ["a", '{"shape":"cir'],
  ["b", "["],
  ["a", 'cle","size":1'],
  ["b", "1,2"],
  ["a", "0}"],
  ["b", "]"],
  ["a", END],
  ["b", END],
];
const soFar = [{ shape: "cir" }, [], { shape: "circle" }, [1], { shape: "circle", size: 10 }, [1, 2]];

function agentWith(pieces: readonly Piece[]): Agent {
  return new Agent({ name: "A", model: modelOf(pieces), tools: [draw] });
}

/** What the events of arguments have as `partial` when they come. */
async function partials(pieces: readonly Piece[]): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  const onEvent = (event: RunEvent): void => {
    if (event.type === "tool-input-delta") seen.push(structuredClone(event.partial));
  };
  await run(agentWith(pieces), "go", { onEvent });
  return seen;
}

describe("a piece of arguments", () => {
  test("has the value so far, each call its own", async () => {
    expect(await partials(two)).toEqual(soFar);
  });

  test("has it in a single answer, too", async () => {
    const seen: unknown[] = [];
    for await (const event of generateStream(modelOf(two), "go"))
      if (event.type === "tool-input-delta") seen.push(structuredClone(event.partial));
    expect(seen).toEqual(soFar);
  });

  test("is seen by a late reader with all that has come since", async () => {
    const running = stream(agentWith(two), "go");
    await running.result;
    const late: unknown[] = [];
    for await (const event of running) if (event.type === "tool-input-delta") late.push(event.partial);
    const [first, second] = [{ shape: "circle", size: 10 }, [1, 2]];
    expect(late).toEqual([first, second, first, second, first, second]);
    expect(late[0]).toBe(late[2]);
  });

  test("belongs to another call once the one of its id is complete", async () => {
    const pieces: readonly Piece[] = [
      ["x", '{"n":1'],
      ["x", "}"],
      ["x", END],
      ["x", '{"n":2}'],
      ["x", END],
    ];
    expect(await partials(pieces)).toEqual([{}, { n: 1 }, { n: 2 }]);
  });

  test("that is not JSON changes nothing any more", async () => {
    expect(
      await partials([
        ["x", '{"a":"b"'],
        ["x", "oops"],
        ["x", "}"],
        ["x", END],
      ]),
    ).toEqual([{ a: "b" }, { a: "b" }, { a: "b" }]);
  });

  test("carries its value neither into JSON nor into copies", async () => {
    const events: RunEvent[] = [];
    await run(agentWith(two), "go", { onEvent: (event) => events.push(event) });
    const delta = events.find(({ type }) => type === "tool-input-delta");
    const plain = {
      type: "tool-input-delta",
      toolCallId: "a",
      toolName: "draw",
      text: '{"shape":"cir',
      agent: "A",
      index: 2,
    };
    expect(JSON.parse(JSON.stringify(delta))).toStrictEqual(plain);
    expect(structuredClone(delta)).toStrictEqual(plain);
    expect({ ...delta }).toStrictEqual(plain);
  });
});
