import { expect, test } from "vitest";
import { Agent, run, tool, toolkit, type Tool, type ToolAnnotations } from "skein";
import { ScriptedModel, type ScriptedToolCall } from "skein/testing";

const input = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
} as const;

function weather(name: string, annotations: ToolAnnotations = {}): Tool {
  return tool({
    name,
    description: "The weather.",
    input,
    execute: ({ city }) => `${name}: ${String(city)}`,
    ...annotations,
  });
}

/** Makes the calls, each in a turn of its own. */
async function call(tools: readonly Tool[], ...calls: readonly ScriptedToolCall[]) {
  const model = new ScriptedModel([...calls.map((each) => ({ toolCalls: [each] })), "done"]);
  const { messages, warnings } = await run(new Agent({ name: "A", model, tools }), "go");
  const texts = messages.flatMap((message) =>
    message.role === "tool" && message.result.content[0]?.type === "text"
      ? [message.result.content[0].text]
      : [],
  );
  return { texts, warnings, specs: model.requests[0]?.tools ?? [] };
}

const paris = (toolName: string) => ({ toolName, arguments: { city: "Paris" } });

test("a deprecated tool works, the model sees why not to use it, and the run warns once", async () => {
  const old = weather("old", { deprecated: "Forecasts are better." });
  const { texts, warnings, specs } = await call([old], paris("old"), paris("old"));
  expect(texts).toEqual(["old: Paris", "old: Paris"]);
  expect(warnings).toEqual(["old is deprecated and was called: Forecasts are better."]);
  expect(specs[0]?.description).toBe("The weather. Deprecated: Forecasts are better.");
});

test("a call of a tool that another took the place of goes to that one, and only that one is shown", async () => {
  const old = weather("old", { deprecated: { use: "new" } });
  const { texts, warnings, specs } = await call([old, weather("new")], paris("old"), {
    toolName: "nwe",
  });
  expect(specs.map(({ name, description }) => [name, description])).toEqual([["new", "The weather."]]);
  expect(texts[0]).toBe("new: Paris");
  expect(texts[1]).not.toContain("old");
  expect(warnings).toEqual(["old is deprecated and was called: new was used instead."]);
});

test("validates the arguments against the schema of the replacement", async () => {
  const old = tool({
    name: "old",
    input: { type: "object" },
    deprecated: { use: "new" },
    execute: () => "the old one",
  });
  const { texts } = await call([old, weather("new")], { toolName: "old", arguments: { town: "Paris" } });
  expect(texts[0]).toContain("$.city");
});

test("names lead on over several replacements, and a circle of them has an end", async () => {
  const chain = [
    weather("a", { deprecated: { use: "b" } }),
    weather("b", { deprecated: { use: "c" } }),
    weather("c"),
  ];
  expect((await call(chain, paris("a"))).texts).toEqual(["c: Paris"]);
  const circle = [weather("a", { deprecated: { use: "b" } }), weather("b", { deprecated: { use: "a" } })];
  expect((await call(circle, paris("a"))).texts).toEqual(["b: Paris"]);
});

test("an unknown replacement is a warning, and the tool stays in use", async () => {
  const { texts, warnings, specs } = await call(
    [weather("old", { deprecated: { use: "new" } })],
    paris("old"),
  );
  expect(texts).toEqual(["old: Paris"]);
  expect(specs).toHaveLength(1);
  expect(warnings[0]).toContain('no tool "new"');
});

test("a namespace goes before the names of tools, functions and toolkits alike", async () => {
  class Kit {
    /** Say it. */
    say(word: string) {
      return word;
    }
  }
  /** Look. */
  function look(place: string) {
    return place;
  }
  const model = new ScriptedModel(["done"]);
  const agent = new Agent({
    name: "A",
    model,
    tools: [
      weather("weather", { namespace: "met" }),
      tool(look, { namespace: "map" }),
      toolkit(new Kit(), { namespace: "kit" }),
    ],
  });
  await run(agent, "go");
  expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(["met_weather", "map_look", "kit_say"]);
});

test("version and tags are for programs: a model does not see them", async () => {
  const made = weather("weather", { version: "2.1.0", tags: ["met"], namespace: "x", title: "Weather" });
  expect(made.annotations).toEqual({ version: "2.1.0", tags: ["met"], namespace: "x", title: "Weather" });
  expect(JSON.stringify((await call([made])).specs)).not.toMatch(/2\.1\.0|met"|Weather"/);
});
