import { Readable } from "node:stream";
import { run } from "skein";
import { ScriptedModel } from "skein/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { stopAtEveryTool } from "../test-stops.ts";
import { agent } from "./agent.ts";

let printed: string;

beforeEach(() => {
  printed = "";
  vi.stubEnv("SKEIN_MODEL", "offline");
  vi.spyOn(console, "log").mockImplementation((...words: unknown[]) => {
    printed += `${words.map((word) => (typeof word === "string" ? word : JSON.stringify(word))).join(" ")}\n`;
  });
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});
afterEach(() => vi.unstubAllEnvs());

const weather = /City: Paris\nDegrees: 18\nUnit: celsius\n/;

test.each([
  ["bare-minimum", /^Hello\./],
  ["function-calling", weather],
  [
    "context-variables",
    /^James has 3 credits\.[^]*There are 8 credits now\.[^]*\n\{"name":"James","credits":8\}\n$/,
  ],
  ["agent-handoff", /^Spanish: ./],
  ["streaming", /^getWeather\(\{"city":"Paris"\}\)\nCity: Paris\nDegrees: 18\n[^]*\n\d+ tokens\n$/],
])("%s runs offline", async (name, expected) => {
  await import(/* @vite-ignore */ new URL(`${name}.ts`, import.meta.url).href);
  expect(printed).toMatch(expected);
});

test("chat-loop keeps what was said, and ends with its input", async () => {
  vi.spyOn(process, "stdin", "get").mockReturnValue(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any stream of lines will do
    Readable.from("hello\nthanks\n") as unknown as typeof process.stdin,
  );
  await import("./chat-loop.ts");
  expect(printed).toMatch(/^> Helper: Hello\.[^]*\n> Helper: .+\n> $/);
  expect(printed.match(/offline stand-in/g), "it knows that it has introduced itself").toHaveLength(1);
});

test("the context reaches instructions and tools, and no model sees more of it", async () => {
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "showAccount" }] }, "There."]);
  await run(agent, "My account?", { model, context: { name: "Ada", userId: 7 } });
  expect(model.requests[0]?.instructions).toBe("You only speak English. Greet the user by name (Ada).");
  expect(model.requests[0]?.tools?.find(({ name }) => name === "showAccount")?.inputSchema).toMatchObject({
    properties: {},
  });
  expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain("Account 7: Ada");
});

test("English and Spanish hand over to each other, wherever they are stopped", async () => {
  const stops = await stopAtEveryTool({
    open: () => ({
      agent,
      model: new ScriptedModel([
        { toolCalls: [{ toolName: "transfer_to_spanish" }] },
        { toolCalls: [{ toolName: "transfer_to_english" }] },
        { toolCalls: [{ toolName: "getWeather", arguments: { city: "Lima" } }] },
        "18 degrees.",
      ]),
    }),
    check: (done) =>
      expect(["transfer_to_spanish", "transfer_to_english", "getWeather"].slice(0, done.length)).toEqual(
        done,
      ),
  });
  expect(stops).toBe(6);
});
