import { expect, test } from "vitest";
import { ConfigurationError } from "../errors.ts";
import { assertModelId } from "./model-id.ts";

const openai = {
  factory: "openai",
  example: "gpt-5.2",
  ownPrefixes: ["openai", "openai-chat", "openai-responses"],
  idPrefixes: ["ft"],
  takesPrefix: false,
};

function refusalOf(modelId: unknown, call = openai): ConfigurationError {
  try {
    assertModelId(modelId, call);
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  return expect.fail(`${String(modelId)} was taken`);
}

test.each([
  ["gpt-5.2"],
  ["ft:gpt-4.1:acme::x"],
  ["qwen3:8b"],
  ["hf.co/some/model:Q4_K_M"],
  ["openai/gpt-5.2"],
])("the id %j is taken", (modelId) => {
  expect(() => assertModelId(modelId, openai)).not.toThrow();
});

test.each([
  ["", 'openai("") names no model. Write its id: openai("gpt-5.2")'],
  ["  ", "names no model"],
  ["openai:gpt-5", 'Write: openai("gpt-5")'],
  ["openai-responses:gpt-5", 'Write: openai("gpt-5")'],
  ["openai:", 'Write: openai("gpt-5.2")'],
  ["google:gemini-x", 'Write: new Agent({ model: "google:gemini-x", ... })'],
  ["anthropic:claude-x", 'Write: new Agent({ model: "anthropic:claude-x", ... })'],
  [{ model: "gpt-5", apiKey: "secret" }, 'Write: openai("gpt-5", { ... })'],
  [{ modelId: "gpt-5" }, 'Write: openai("gpt-5", { ... })'],
  [undefined, 'Write: openai("gpt-5.2", { ... })'],
  [null, 'Write: openai("gpt-5.2", { ... })'],
])("refuses %j, and shows what to write", (modelId, remedy) => {
  const refusal = refusalOf(modelId);
  expect(refusal.code).toBe("invalid-model-id");
  expect(refusal.message).toContain(remedy);
  expect(refusal.message).not.toContain("secret");
});

test("distinguishes the prefix of the call's own provider from others", () => {
  const call = { ...openai, factory: "openai.responses" };
  expect(refusalOf("openai:gpt-5", call).message).toContain('Write: openai.responses("gpt-5")');
});

test("ids of another server may have a prefix", () => {
  expect(() => assertModelId("openai:gpt-5", { ...openai, takesPrefix: true })).not.toThrow();
});

test.each(["ft:", "ft:x", "FT:x", "-a:x", "a b:x"])(
  "the id %j is taken, though it has a colon",
  (modelId) => {
    expect(() => assertModelId(modelId, openai)).not.toThrow();
  },
);

test("only what looks like a provider is one, and prefixes of ids are known by the options alone", () => {
  for (const modelId of ["ab:x", "a-b:x"])
    expect(refusalOf(modelId).message).toContain("is a model's name, with its provider");
  const { idPrefixes: _, ...plain } = openai;
  expect(() => assertModelId("ft:x", plain)).toThrow('Write: new Agent({ model: "ft:x", ... })');
});

test("of an object with both names, the first one counts, and one that is not a text counts nothing", () => {
  expect(refusalOf({ model: "a", modelId: "b" }).message).toContain('openai("a", { ... })');
  expect(refusalOf({ model: 7 }).message).toContain('openai("gpt-5.2", { ... })');
  expect(refusalOf([{ model: "a" }]).message).toContain('openai("gpt-5.2", { ... })');
  expect(refusalOf("openai:").message).toBe(
    '"openai:" is a model\'s name, with its provider, and openai(...) takes the model\'s id alone. Write: openai("gpt-5.2")',
  );
});
