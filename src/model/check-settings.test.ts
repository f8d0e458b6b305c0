import { expect, test } from "vitest";
import { assertModel, assertSettings, assertToolChoice } from "./check-settings.ts";

async function* nothing(): AsyncGenerator<never> {}

test.each<[string, () => void, string]>([
  ["a model without a stream", () => assertModel({} as never, "the agent A"), "model"],
  ["a model that is nothing", () => assertModel(null as never, "the agent A"), "model"],
  [
    "a model whose stream is a promise",
    () => assertModel({ provider: "p", modelId: "m", stream: async () => nothing() } as never, "the agent A"),
    "model",
  ],
  ["an unknown tool choice", () => assertToolChoice("any" as never, "the agent A"), "toolChoice"],
  ["a model that is a number", () => assertModel(7 as never, "the agent A"), "model"],
  ["a tool choice that is nothing", () => assertToolChoice(null as never, "the agent A"), "toolChoice"],
  ["a tool choice that is a number", () => assertToolChoice(7 as never, "the agent A"), "toolChoice"],
  ["a cache of two hours", () => assertSettings({ cache: "2h" } as never, "the agent A"), "cache"],
  ["a cache that is true", () => assertSettings({ cache: true } as never, "the agent A"), "cache"],
  ["a tool choice without a name", () => assertToolChoice({ tool: 1 } as never, "the agent A"), "toolChoice"],
])("%s is refused, and the option is named", (_, check, option) => {
  expect(check).toThrow(expect.objectContaining({ code: "invalid-option", data: { option } }));
});

test("what fits, or is left out, is accepted", () => {
  assertModel(undefined, "the agent A");
  assertModel("openai:gpt-5.2", "the agent A");
  assertModel({ provider: "p", modelId: "m", stream: nothing }, "the agent A");
  for (const choice of [undefined, "auto", "required", "none", { tool: "look" }] as const)
    assertToolChoice(choice, "the agent A");
  assertSettings(undefined, "the agent A");
  assertSettings({ temperature: 0 }, "the agent A");
  for (const cache of ["auto", "5m", "1h", false] as const) assertSettings({ cache }, "the agent A");
  expect(() => assertSettings({ cache: "24h" } as never, "the agent A")).toThrow(
    'settings.cache of the agent A is "24h". Expected "auto", "5m", "1h" or false.',
  );
  expect(() => assertSettings({ temprature: 0 } as never, "the agent A")).toThrow(
    'Did you mean "temperature"?',
  );
});
