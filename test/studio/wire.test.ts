/** The wire of runs, in a real Chromium, with a provider that speaks over HTTP. */
import { Agent, type ModelRequest, run, type StepMiddleware, tool } from "skein";
import { openai } from "skein/openai";
import { expect, test } from "vitest";
import { openStudio, Tab, useBrowser } from "./browser.ts";
import { openProvider } from "./test-provider.ts";

useBrowser();

const apiKey = "sk-proj-abcdefghijklmnop1234567890";
const look = tool({
  name: "look",
  description: "Looks.",
  input: { type: "object", properties: { at: { type: "string" } } },
  execute: () => "Blue ☀, “quoted”.",
});
const smell = tool({
  name: "smell",
  description: "Smells.",
  input: { type: "object" },
  execute: () => "Salt.",
});
const call = [{ name: "look", arguments: '{"at": "sea"}' }];

/** Changes requests from the second on. */
function changing(change: (request: ModelRequest) => Partial<ModelRequest>): StepMiddleware {
  return {
    async *model(request, { key }, next) {
      yield* next(key.turn > 1 ? { ...request, ...change(request) } : request);
    },
  };
}

test("the page shows each request exactly as the provider received it, and each piece of its answer", async () => {
  await using provider = await openProvider([call, "It is blue. And ☀."]);
  const agent = new Agent({
    name: "Eye",
    model: openai("m", { baseURL: provider.baseURL, apiKey }),
    instructions: 'Say "what" you see.\n\tÄ',
    tools: [look],
  });
  const { url } = await openStudio([agent]);
  const tab = await Tab.open(url);
  await tab.say("What colour has the sea?");
  await tab.expectTexts("What colour has the sea?", "It is blue. And ☀.");
  const place = await tab.openNewestRun();
  await tab.page.keyboard.press("w");
  for (const [index, body] of provider.bodies.entries()) {
    await tab.go(`${place}/wire/${index + 1}`);
    await tab.page.getByRole("heading", { name: /prefix|first request/ }).waitFor();
    await tab.page.getByRole("tab", { name: "As sent" }).click();
    await expect.poll(() => tab.page.getByLabel("Body").textContent()).toBe(body);
    await tab.button("Copy").click();
    expect(await tab.page.evaluate(() => navigator.clipboard.readText())).toBe(body);
    await tab.page.getByRole("tab", { name: /Answer/ }).click();
    expect((await tab.page.locator(".pieces pre").allTextContents()).at(-1)).toContain("[DONE]");
    await tab.page.getByRole("tab", { name: "Headers" }).click();
    const headers = await tab.page.getByLabel("Headers of the request").textContent();
    expect(headers).toContain(`POST ${provider.baseURL}/chat/completions`);
    expect(headers).toContain("authorization: [redacted]");
    await tab.page.keyboard.press("1");
  }
  expect(await tab.page.content()).not.toContain(apiKey);
  expect(tab.failures).toEqual([]);
});

test.each([
  {
    what: "a time in the instructions",
    agents: (make: (options: object) => Agent) => {
      let second = 0;
      return make({
        instructions: () => `Be kind. The time is 12:00:0${second++}. Be short.`,
        tools: [look],
      });
    },
    path: "messages[0].content, character 28",
  },
  {
    what: "tools in another order",
    agents: (make: (options: object) => Agent) =>
      make({
        instructions: "Be kind.",
        tools: [look, smell],
        middleware: [changing((request) => ({ tools: request.tools?.toReversed() ?? [] }))],
      }),
    path: "tools[0].function.name, character 0",
  },
  {
    what: "an edited message",
    agents: (make: (options: object) => Agent) =>
      make({
        instructions: "Be kind.",
        tools: [look],
        middleware: [
          changing(({ messages }) => ({
            messages: messages.map((message) =>
              message.role === "user" ? { ...message, content: "Look at the SEA." } : message,
            ),
          })),
        ],
      }),
    path: "messages[1].content, character 12",
  },
])("$what is named by its path, with the tokens that were paid again", async ({ agents, path }) => {
  await using provider = await openProvider([call, "Blue."], 12);
  const make = (options: object) =>
    new Agent({ name: "Eye", model: openai("m", { baseURL: provider.baseURL, apiKey }), ...options });
  const agent = agents(make);
  const { url } = await openStudio([agent]);
  await run(agent, "Look at the sea.", { runId: "planted" });
  const tab = await Tab.open(url);
  await tab.go("#/runs/planted/wire/2");
  const title = tab.page.getByRole("heading", { name: /The prefix breaks at/ });
  await title.waitFor();
  expect(await title.textContent()).toBe(`The prefix breaks at ${path}`);
  const lost = Math.ceil((provider.bodies[0]?.length ?? 0) / 4) - 12;
  const most = Math.ceil((provider.bodies[1]?.length ?? 0) / 4) - 12;
  expect(await tab.page.locator(".nums").textContent()).toContain(`${Math.min(lost, most)}paid again`);
  expect(await tab.page.locator(".seg.cutp").count()).toBe(1);
  await tab.page.keyboard.press("t");
  await tab.page.locator(".det .note", { hasText: "The prefix breaks at" }).waitFor();
  await tab.go("#/runs");
  await tab.button("Prefix broken 1").click();
  await tab.page.locator(".tb tbody tr").first().waitFor();
});

test("a request that is the beginning of the next has no break, over the runs of a conversation too", async () => {
  await using provider = await openProvider([call, "Blue.", "Green."], 10_000);
  const agent = new Agent({
    name: "Eye",
    model: openai("m", { baseURL: provider.baseURL, apiKey }),
    instructions: "Be kind.",
    tools: [look],
  });
  const { url } = await openStudio([agent]);
  const tab = await Tab.open(url);
  await tab.say("Look.");
  await tab.expectTexts("Look.", "Blue.");
  await tab.expectIdle();
  await tab.say("And the wood?");
  await tab.expectTexts("Look.", "Blue.", "And the wood?", "Green.");
  const place = await tab.openNewestRun("And the wood?");
  await tab.go(`${place}/wire/1`);
  await tab.page.getByRole("heading", { name: "The prefix is that of request 2" }).waitFor();
  expect(await tab.page.locator(".seg.cutp").count()).toBe(0);
});

test("attempts that failed are requests of their own", async () => {
  const bad = "data: {broken\n\n";
  let count = 0;
  const fetch = async (): Promise<Response> => {
    if (count++ === 0) return new Response("overloaded", { status: 503, headers: { "retry-after-ms": "1" } });
    return new Response(bad, { status: 400 });
  };
  const agent = new Agent({
    name: "Eye",
    model: openai("m", { baseURL: "http://127.0.0.1:9/v1", apiKey, fetch }),
  });
  const { url } = await openStudio([agent]);
  const tab = await Tab.open(url);
  await tab.say("Look.");
  await tab.page.locator(".flow .note.b").waitFor();
  await tab.openNewestRun();
  await tab.page
    .locator(".row", { hasText: "attempt failed" })
    .or(tab.page.locator(".row .bad"))
    .first()
    .waitFor();
  await tab.page.keyboard.press("w");
  await expect
    .poll(() => tab.page.locator(".sky button small").allTextContents())
    .toEqual(["failed, 503", "failed, 400"]);
});
