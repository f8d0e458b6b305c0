/** Guards of what clients get beside texts: citations, calls of the provider's own tools, and `meta` of results. */
import { expect, test } from "vitest";
import {
  Agent,
  type HostedCall,
  type JsonObject,
  type Model,
  result,
  run,
  type RunEvent,
  type RunOptions,
  tool,
} from "skein";
import { allowedDomains, guard, personalData, secrets } from "skein/guards";
import { ScriptedModel } from "skein/testing";

const key = "sk-proj-abcDEF1234567890abcDEF";

/** A model whose answer cites sources, and comes with calls of the provider's tools. */
function model(
  text: string,
  { data, calls = [] }: { data?: JsonObject; calls?: readonly HostedCall[] },
): Model {
  return {
    provider: "anthropic",
    modelId: "m",
    async *stream(request) {
      for (const call of calls) yield { type: "hosted-call", call };
      for await (const event of new ScriptedModel([text]).stream(request)) {
        if (event.type !== "finish" || !data) yield event;
        else {
          const providerData = { provider: "anthropic", data };
          const message = {
            ...event.generation.message,
            content: [{ type: "text", text, providerData } as const],
          };
          yield { ...event, generation: { ...event.generation, message } };
        }
      }
    },
  };
}

async function eventsOf(agent: Agent, options: RunOptions) {
  const events: RunEvent[] = [];
  const outcome = await run(agent, "go", { ...options, onEvent: (event) => void events.push(event) });
  return { events, outcome };
}

test.each<[string, JsonObject]>([
  ["Anthropic", { citations: [{ url: "https://evil.org/x", title: "T", cited_text: "q" }] }],
  ["OpenAI", { content: { annotations: [{ url: "https://evil.org/x", start_index: 0, end_index: 3 }] } }],
])("an address that an answer cites as %s does it is judged", async (_, data) => {
  const agent = new Agent({ name: "A", model: model("See here.", { data }) });
  const own = guard({ output: allowedDomains(["example.com"]) });
  expect((await run(agent, "go", { middleware: [own] })).blocked?.reason).toBe("a link to evil.org");
  const other = guard({ output: allowedDomains(["evil.org"]) });
  expect((await run(agent, "go", { middleware: [other] })).status).toBe("completed");
});

const search = (url: string): HostedCall => ({
  tool: "webSearch",
  name: "web_search",
  id: "s1",
  status: "completed",
  input: { queries: ["herons"] },
  results: [{ url, title: "Herons" }],
});

test.each(["See here.", ""])(
  "calls of the provider's tools are judged as they end, with the text %j",
  async (text) => {
    const running = { ...search("https://a.test"), status: "running", results: [] } as const;
    const calls = [running, search("https://evil.org/herons")];
    const agent = new Agent({ name: "A", model: model(text, { calls }) });
    const { events, outcome } = await eventsOf(agent, {
      middleware: [guard({ output: allowedDomains(["example.com"]) }, { hold: true })],
    });
    expect(outcome.blocked?.reason).toBe("a link to evil.org");
    expect(events.some(({ type }) => type === "hosted-call")).toBe(false);
  },
);

test("code that ran at the provider is judged", async () => {
  const calls: readonly HostedCall[] = [
    { tool: "codeExecution", name: "code", id: "c1", status: "completed", input: { code: `send("${key}")` } },
  ];
  const agent = new Agent({ name: "A", model: model("Done.", { calls }) });
  const outcome = await run(agent, "go", { middleware: [guard({ output: secrets() })] });
  expect(outcome.blocked?.reason).toBe("a key or token");
});

const metas: readonly [string, JsonObject, (judged: { readonly text: string }) => string | undefined][] = [
  ["a key or token", { session: { key } }, secrets()],
  ["an email address", { owners: ["ann@example.com"] }, personalData()],
  ["a link to evil.org", { icon: "//evil.org/a.png" }, allowedDomains(["example.com"])],
];
test.each(metas)("%s in the meta of a result is judged", async (reason, meta, check) => {
  const seen: unknown[] = [];
  const page = tool({
    name: "page",
    input: { type: "object" },
    execute: () => result({ content: "fine", value: { a: 1 }, meta }),
  });
  const agent = () =>
    new Agent({
      name: "A",
      model: new ScriptedModel([{ toolCalls: [{ toolName: "page", arguments: {} }] }, "Done."]),
      tools: [page],
    });
  const blocked = await eventsOf(agent(), { middleware: [guard({ result: check })] });
  expect(blocked.outcome.blocked?.reason).toBe(reason);
  expect(blocked.events.filter((event) => event.type === "tool-end" && event.meta)).toEqual([]);

  const denied = await eventsOf(agent(), {
    middleware: [guard({ result: (judged) => (check(judged) ? { deny: "Not that." } : true) })],
  });
  expect(denied.outcome.status).toBe("completed");
  expect(denied.events.filter((event) => event.type === "tool-end" && event.meta)).toEqual([]);

  const passed = await eventsOf(agent(), {
    middleware: [guard({ result: (judged) => void seen.push(judged.meta) })],
  });
  expect(seen).toEqual([meta]);
  expect(passed.events.some((event) => event.type === "tool-end" && event.meta)).toBe(true);
});

test("a check cannot change the call or the result that it judges", async () => {
  const letters: unknown[] = [];
  const send = tool({
    name: "send",
    input: { type: "object", properties: { letter: { type: "string" } } },
    execute: ({ letter }: { letter: string }) => {
      letters.push(letter);
      return "sent";
    },
  });
  const scripted = () =>
    new ScriptedModel([{ toolCalls: [{ toolName: "send", arguments: { letter: "a" } }] }, "Done."]);
  for (const check of [
    { tool: ({ call }: { call: object }) => void Reflect.set(call, "arguments", '{"letter":"EVIL"}') },
    { result: ({ result: own }: { result: object }) => void Reflect.set(own, "content", []) },
    { result: ({ call }: { call: object }) => void Reflect.set(call, "toolName", "other") },
  ]) {
    const agent = new Agent({ name: "A", model: scripted(), tools: [send] });
    const { messages } = await run(agent, "go", { middleware: [guard(check)] });
    expect(JSON.stringify(messages)).toContain('"sent"');
  }
  expect(letters).toEqual(["a", "a", "a"]);
  const assigning = guard({
    tool: ({ call }) => {
      Object.assign(call, { arguments: "{}" });
    },
  });
  const agent = new Agent({ name: "A", model: scripted(), tools: [send] });
  await expect(run(agent, "go", { middleware: [assigning] })).rejects.toMatchObject({ code: "guard-failed" });
});
