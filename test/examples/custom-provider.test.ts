import { readFile } from "node:fs/promises";
import { generate, run } from "skein";
import { assertConformance, checkModel } from "skein/testing/conformance";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listKeeper } from "../../examples/custom-provider/agent.ts";
import { linesModel } from "../../examples/custom-provider/lines-model.ts";
import { type LinesServer, startServer } from "../../examples/custom-provider/server.ts";
import { startProvider, toolNames, told } from "./chat-provider.ts";
import { expectTranscript } from "./transcript.ts";

let server: LinesServer;
beforeEach(async () => {
  vi.stubEnv("SKEIN_MODEL", "offline");
  server = await startServer();
});
afterEach(async () => {
  await server.close();
  vi.unstubAllEnvs();
});

test("the README's transcript is a real one", () =>
  expectTranscript("custom-provider", listKeeper([], linesModel(server.url))));

test("the model is written in under 60 lines", async () => {
  const source = await readFile(
    new URL("../../examples/custom-provider/lines-model.ts", import.meta.url),
    "utf8",
  );
  expect(source.split("\n").length - 1).toBeLessThan(60);
});

test("does what every model has to do, for any broken connection", async () => {
  const report = await checkModel((fetch) => linesModel(server.url, fetch), { runs: 3 });
  assertConformance(report);
});

test("an unreachable server, and one that refuses: typed errors, with what may be retried", async () => {
  const settings = { maxRetries: 0 };
  const nobody = generate(linesModel("http://127.0.0.1:1"), { messages: "Hi", settings });
  await expect(nobody).rejects.toMatchObject({ code: "network", provider: "lines", isRetryable: true });
  const teapot = linesModel(server.url, async () => new Response("", { status: 418 }));
  await expect(generate(teapot, { messages: "Hi", settings })).rejects.toMatchObject({
    code: "invalid-request",
    status: 418,
  });
});

test("over the wire, in both directions: the model behind the server receives the conversation", async () => {
  const provider = await startProvider([
    [{ tool: "addItem", arguments: { what: "milk" } }],
    "Milk is on the list.",
  ]);
  vi.stubEnv("SKEIN_MODEL", "openai:gpt-test");
  vi.stubEnv("OPENAI_BASE_URL", provider.baseURL);
  vi.stubEnv("OPENAI_API_KEY", "sk-test");
  const list: string[] = [];
  const { text } = await run(listKeeper(list, linesModel(server.url)), "Milk!");
  await provider.close();

  expect([text, list]).toEqual(["Milk is on the list.", ["milk"]]);
  expect(provider.requests.map(toolNames)).toEqual([
    ["addItem", "readList", "strikeOff"],
    ["addItem", "readList", "strikeOff"],
  ]);
  const last = provider.requests[1];
  expect(last && told(last)).toEqual([
    ["system", "Keep the user's list of things to do."],
    ["user", "Milk!"],
    ["assistant", 'addItem({"what":"milk"})'],
    ["tool", "milk is number 1 of the list."],
  ]);
});
