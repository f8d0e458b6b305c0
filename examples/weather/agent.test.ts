import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Agent, executeToolCalls, run, type ToolResult } from "skein";
import { ScriptedModel } from "skein/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { stopAtEveryTool } from "../test-stops.ts";
import { weatherAgent } from "./agent.ts";
import { type StandIn, startStandIn } from "./stand-in.ts";

let service: StandIn;
let folder: string;
let outbox: string;
let agent: Agent;
let count = 0;

beforeAll(async () => {
  service = await startStandIn();
  folder = await mkdtemp(join(tmpdir(), "skein-weather-"));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});
beforeEach(open);

function open(): void {
  count += 1;
  outbox = join(folder, `outbox-${count}.jsonl`);
  agent = weatherAgent({ outbox, geocodingURL: service.url, forecastURL: service.url });
}

const letter = { to: "ada@example.com", subject: "Weather", body: "14 degrees in Paris." };
const mail = { toolCalls: [{ toolName: "sendEmail", arguments: letter }] };

function sent(): object[] {
  if (!existsSync(outbox)) return [];
  return readFileSync(outbox, "utf8")
    .trim()
    .split("\n")
    .map((line): object => JSON.parse(line));
}

async function getWeather(of: Agent, args: object): Promise<ToolResult | undefined> {
  const call = { toolCallId: "1", toolName: "getWeather", arguments: JSON.stringify(args) };
  return (await executeToolCalls([call], of.tools))[0];
}

test("the weather is that of the service: now, and as many days as asked for", async () => {
  const result = await getWeather(agent, { city: "Paris", days: 2 });
  expect(result?.structuredContent).toEqual({
    place: "Paris, France",
    now: { celsius: 14, sky: "partly cloudy", windKmh: 9.5 },
    days: [
      { date: "2026-05-01", sky: "partly cloudy", low: 9, high: 16, rainMm: 0 },
      { date: "2026-05-02", sky: "rain", low: 9, high: 17, rainMm: 1.5 },
    ],
  });
});

test.each([
  ["a place that nobody knows", { city: "Atlantis" }, 'Open-Meteo knows no place called "Atlantis"'],
  ["more days than there are", { city: "Paris", days: 8 }, "expected a number of at most 7"],
])("%s is told to the model", async (_title, args, words) => {
  const result = await getWeather(agent, args);
  expect(result?.isError).toBe(true);
  expect(JSON.stringify(result?.content)).toContain(JSON.stringify(words).slice(1, -1));
});

test("without a connection, the model is told that, at once", async () => {
  const nowhere = "http://127.0.0.1:1";
  const result = await getWeather(weatherAgent({ outbox, geocodingURL: nowhere }), { city: "Paris" });
  expect(result?.content).toEqual([
    {
      type: "text",
      text: "getWeather failed: Open-Meteo cannot be reached at 127.0.0.1:1: is there a connection?",
    },
  ]);
});

test("a service that is busy is asked again", async () => {
  let requests = 0;
  const busy = createServer((_request, response) => {
    requests += 1;
    response.writeHead(requests === 1 ? 503 : 200).end("{}");
  });
  await new Promise<void>((resolve) => void busy.listen(0, "127.0.0.1", resolve));
  const address = busy.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const result = await getWeather(weatherAgent({ outbox, geocodingURL: url }), { city: "Paris" });
  busy.close();
  busy.closeAllConnections();
  expect(requests).toBe(2);
  expect(JSON.stringify(result?.content)).toContain("knows no place");
});

test("the same question is asked once", async () => {
  const before = service.requests.length;
  const look = { toolCalls: [{ toolName: "getWeather", arguments: { city: "Oslo" } }] };
  await run(agent, "Oslo?", { model: new ScriptedModel([look, look, "13 degrees."]) });
  expect(service.requests.slice(before).map((path) => path.split("?")[0])).toEqual([
    "/v1/search",
    "/v1/forecast",
  ]);
});

test("an email waits for a person, and is written once approved, with what the person made of it", async () => {
  const paused = await run(agent, "Write to Ada", { model: new ScriptedModel([mail]) });
  expect([paused.status, sent()]).toEqual(["paused", []]);
  const approvals = paused.pending.map(({ approvalId = "" }) => ({
    approvalId,
    decision: "approve" as const,
    arguments: { ...letter, subject: "The weather" },
  }));
  const { text } = await run(agent, paused.state, {
    approvals,
    model: new ScriptedModel(["It is on its way."]),
  });
  expect(text).toBe("It is on its way.");
  expect(sent()).toEqual([{ ...letter, subject: "The weather", id: expect.any(String) }]);
});

test("an email that is denied is not written, and the model is told why", async () => {
  const paused = await run(agent, "Write to Ada", { model: new ScriptedModel([mail]) });
  const approvals = paused.pending.map(({ approvalId = "" }) => ({
    approvalId,
    decision: "deny" as const,
    reason: "Ada knows already.",
  }));
  const model = new ScriptedModel(["Fine."]);
  await run(agent, paused.state, { approvals, model });
  expect(JSON.stringify(model.requests[0]?.messages.at(-1))).toContain("Ada knows already.");
  expect(sent()).toEqual([]);
});

test("stopped at any tool, the outbox has what was told as sent, and nothing else", async () => {
  const look = { toolCalls: [{ toolName: "getWeather", arguments: { city: "Paris" } }] };
  const stops = await stopAtEveryTool({
    open: () => {
      open();
      return { agent, model: new ScriptedModel([look, mail, "Done."]), decision: "approve" };
    },
    check: (done) => expect(sent()).toHaveLength(done.includes("sendEmail") ? 1 : 0),
  });
  expect(stops, "a call that is approved begins twice: asked about, and made").toBe(5);
});
