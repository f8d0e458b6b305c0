import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Agent, run } from "skein";
import { afterAll, beforeAll, expect, test } from "vitest";
import { weatherAgent } from "../../examples/weather/agent.ts";
import { type StandIn, startStandIn } from "../../examples/weather/stand-in.ts";
import { startProvider, toolNames, told } from "./chat-provider.ts";
import { expectTranscript } from "./transcript.ts";

let service: StandIn;
let folder: string;
let agent: Agent;
beforeAll(async () => {
  service = await startStandIn();
  folder = await mkdtemp(join(tmpdir(), "skein-weather-"));
  const outbox = join(folder, "outbox.jsonl");
  agent = weatherAgent({ outbox, geocodingURL: service.url, forecastURL: service.url });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

test("the README's transcript is a real one", () => expectTranscript("weather", agent));

test("over the wire: two cities side by side, a call that waits, and the answer to a decision", async () => {
  const provider = await startProvider([
    [
      { tool: "getWeather", arguments: { city: "Paris" } },
      { tool: "getWeather", arguments: { city: "Oslo", days: 2 } },
    ],
    [
      {
        tool: "sendEmail",
        arguments: { to: "ada@example.com", subject: "Weather", body: "Paris is warmer." },
      },
    ],
    "I have written to Ada.",
  ]);
  const { model } = provider;
  const paused = await run(agent, "Where is it warmer? Write it to Ada.", { model });
  expect([paused.status, provider.requests.length]).toEqual(["paused", 2]);
  const approvals = paused.pending.map(({ approvalId = "" }) => ({
    approvalId,
    decision: "approve" as const,
  }));
  const { text } = await run(agent, paused.state, { model, approvals });
  await provider.close();

  expect(text).toBe("I have written to Ada.");
  expect(provider.requests.map(toolNames)).toEqual([1, 2, 3].map(() => ["getWeather", "sendEmail"]));
  const last = provider.requests[2];
  expect(last && told(last).slice(2)).toEqual([
    ["assistant", 'getWeather({"city":"Paris"})', 'getWeather({"city":"Oslo","days":2})'],
    ["tool", expect.stringContaining('"place":"Paris, France"')],
    ["tool", expect.stringContaining('"date":"2026-05-02"')],
    ["assistant", expect.stringContaining('sendEmail({"to":"ada@example.com"')],
    ["tool", "The email to ada@example.com is in the outbox."],
  ]);
  expect(last?.tools?.[0]).toMatchObject({
    function: {
      parameters: {
        properties: {
          city: { type: "string" },
          days: { type: "integer", minimum: 1, maximum: 7, default: 1 },
        },
        required: ["city"],
      },
    },
  });
});
