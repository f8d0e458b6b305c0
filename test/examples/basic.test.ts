import { afterEach, expect, test, vi } from "vitest";
import { agent } from "../../examples/basic/agent.ts";
import { startProvider, toolNames, told } from "./chat-provider.ts";
import { expectTranscript } from "./transcript.ts";

afterEach(() => vi.unstubAllEnvs());

test("the README's transcript is a real one", () =>
  expectTranscript("basic", agent, { name: "James", userId: 123 }));

test("over the wire: the program speaks with the provider that the environment names", async () => {
  const provider = await startProvider([
    [{ tool: "getWeather", arguments: { city: "Paris" } }],
    "18 degrees in Paris.",
  ]);
  vi.stubEnv("SKEIN_MODEL", "openai:gpt-test");
  vi.stubEnv("OPENAI_BASE_URL", provider.baseURL);
  vi.stubEnv("OPENAI_API_KEY", "sk-test");
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  await import("../../examples/basic/function-calling.ts");
  await provider.close();

  expect(log.mock.calls).toEqual([["18 degrees in Paris."]]);
  expect(provider.requests.map(toolNames)).toEqual([["getWeather"], ["getWeather"]]);
  expect(provider.requests.map(told)).toEqual([
    [
      ["system", "You are a helpful agent."],
      ["user", "What's the weather in Paris?"],
    ],
    [
      ["system", "You are a helpful agent."],
      ["user", "What's the weather in Paris?"],
      ["assistant", 'getWeather({"city":"Paris"})'],
      ["tool", '{"city":"Paris","degrees":18,"unit":"celsius"}'],
    ],
  ]);
});
