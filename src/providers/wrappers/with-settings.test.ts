import { expect, test } from "vitest";
import { ScriptedModel } from "../../testing/scripted-model.ts";
import { answerOf, ask } from "./test-models.ts";
import { withSettings } from "./with-settings.ts";

test("a model has default settings, and those of the request replace them", async () => {
  const model = new ScriptedModel(["Hi."]);
  const own = { temperature: 0, seed: 1, providerOptions: { user: "u", tier: "flex" } };
  const settings = { temperature: 1, maxRetries: 0, providerOptions: { tier: "fast" } };
  await answerOf(withSettings(model, own), ask("Hello", { settings }));
  expect(model.requests[0]?.settings).toEqual({
    temperature: 1,
    seed: 1,
    maxRetries: 0,
    providerOptions: { user: "u", tier: "fast" },
  });
});

test("a request without settings gets the model's own", async () => {
  const model = new ScriptedModel(["Hi."]);
  await answerOf(withSettings(model, { topP: 0.5 }));
  expect(model.requests[0]?.settings).toEqual({ topP: 0.5 });
});

test("a setting that a model cannot have is an error", () => {
  const model = new ScriptedModel([]);
  expect(() => withSettings(model, JSON.parse('{"maxRetries":1}'))).toThrow("Use retry(model, { times })");
  expect(() => withSettings(model, JSON.parse('{"temprature":1}'))).toThrow('Did you mean "temperature"');
});
