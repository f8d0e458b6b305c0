import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anthropic } from "../../providers/anthropic/index.ts";
import type { Model, ModelRequest } from "../../model/types.ts";
import { google } from "../../providers/google/index.ts";
import { offline } from "../../providers/offline/index.ts";
import { openai } from "../../providers/openai/index.ts";
import { startServer, type TestServer } from "../../providers/openai/test-server.ts";
import { eventsOf, framed, type Answer } from "../../../test/providers/answers.ts";
import { protocols, type Protocol } from "../../../test/providers/protocols.ts";
import { ScriptedModel } from "../scripted-model.ts";
import { assertConformance, checkModel } from "./index.ts";

let server: TestServer;
beforeAll(async () => void (server = await startServer()));
afterAll(() => server.close());

const answer: Answer = {
  id: "1",
  reasoning: "They want the weather: Zürich, ☔️.",
  text: "Ich schaue nach.",
  calls: [
    { id: "call_1", name: "get_weather", arguments: '{"city":"Zürich"}' },
    { id: "call_2", name: "get_weather", arguments: '{"city":"Paris"}' },
  ],
};

function modelOver(protocol: Protocol): Model {
  const apiKey = "sk-goose-0123456789";
  if (protocol === "google") return google("gemini-3.8-flash", { apiKey, baseURL: server.url });
  if (protocol === "messages") return anthropic("claude-sonnet-4-6", { apiKey, baseURL: server.url });
  const options = { apiKey, baseURL: `${server.url}/v1` };
  return protocol === "chat" ? openai("gpt-5.2", options) : openai.responses("gpt-5.2", options);
}

describe("Skein's own models keep every promise", () => {
  test.each(protocols)("%s", async (protocol) => {
    server.received.length = 0;
    server.answer({ chunks: framed(protocol, eventsOf(protocol, answer)) });
    assertConformance(await checkModel(modelOver(protocol)));
    expect(server.received).toHaveLength(1);
  });

  test("the offline model", async () => {
    assertConformance(await checkModel(offline()));
  });

  test("a scripted model, created for each reading", async () => {
    const turn = { text: "Well.", toolCalls: [{ toolName: "a" }, { toolName: "b" }], chunkSize: 2 };
    const requests: ModelRequest[] = [{ messages: [{ role: "user", content: "Hello" }] }];
    assertConformance(await checkModel(() => new ScriptedModel([turn]), { requests }));
  });
});
