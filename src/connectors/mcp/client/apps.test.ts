import { describe, expect, test } from "vitest";
import { Agent } from "../../../agent/agent.ts";
import type { ModelRequest } from "../../../model/types.ts";
import { run, stream } from "../../../run/run.ts";
import type { Journal, RunEvent } from "../../../run/types.ts";
import { FunctionModel } from "../../../testing/function-model.ts";
import { toolset } from "../../../tool/toolset.ts";
import { apps } from "./fixtures/apps.ts";
import { mcp } from "./mcp.ts";
import { callTools, fixture, serveModern, serveSessions, textOf, type LocalServer } from "./test-servers.ts";
import type { McpToolset } from "./toolset.ts";

const program = { name: "weather", command: process.execPath, args: [fixture("apps-stdio.ts")] };

/** Every way to the same server. */
const ways: Readonly<Record<string, () => Promise<{ tools: McpToolset; server?: LocalServer }>>> = {
  "a program": async () => ({ tools: mcp(program) }),
  "a program, by the handshake of 2025": async () => ({ tools: mcp({ ...program, protocol: "legacy" }) }),
  "streamable HTTP of 2026": async () => {
    const server = await serveModern(apps);
    return { server, tools: mcp({ name: "weather", url: server.url }) };
  },
  "streamable HTTP with sessions": async () => {
    const server = await serveSessions(new Map(), apps);
    return { server, tools: mcp({ name: "weather", url: server.url }) };
  },
};

const view = { resourceUri: "ui://weather/view.html", server: "weather" };

/** The events of a run that calls one tool, and what the model was asked. */
async function runOf(
  tools: ConstructorParameters<typeof Agent>[0]["tools"],
  toolName: string,
): Promise<{ readonly events: readonly RunEvent[]; readonly requests: readonly ModelRequest[] }> {
  const requests: ModelRequest[] = [];
  const model = new FunctionModel((request) => {
    requests.push(
      structuredClone({ messages: request.messages, ...(request.tools && { tools: request.tools }) }),
    );
    return request.messages.at(-1)?.role === "tool"
      ? "Done."
      : { toolCalls: [{ toolName, arguments: { city: "Paris" } }] };
  });
  const running = stream(new Agent({ name: "Guide", model, ...(tools && { tools }) }), "Weather?");
  const events: RunEvent[] = [];
  for await (const event of running) events.push(event);
  await running.result;
  return { events, requests };
}

function ofType<Type extends RunEvent["type"]>(
  events: readonly RunEvent[],
  type: Type,
): readonly Extract<RunEvent, { readonly type: Type }>[] {
  return events.filter((event): event is Extract<RunEvent, { readonly type: Type }> => event.type === type);
}

describe.each(Object.entries(ways))("%s", (_, open) => {
  test("events of a call name its page, which is read with its policy", async () => {
    await using stack = new AsyncDisposableStack();
    const { tools, server } = await open();
    stack.use(server);
    stack.use(tools);
    const { events, requests } = await runOf([tools], "weather");
    expect(ofType(events, "tool-start").map(({ ui }) => ui)).toEqual([{ ...view, serverId: tools.serverId }]);
    const [end] = ofType(events, "tool-end");
    expect(end?.ui).toEqual({ ...view, serverId: tools.serverId });
    expect(end?.meta).toMatchObject({ icon: "sun" });
    expect(end?.result.structuredContent).toEqual({ city: "Paris", degrees: 18, hourly: [17, 18] });
    expect(textOf(end?.result)).toBe("18 degrees in Paris");
    expect(JSON.stringify(requests)).not.toContain("ui://");
    expect(JSON.stringify(requests)).not.toContain('"sun"');
    const page = await tools.readApp(view.resourceUri);
    expect(page).toMatchObject({ ...view, permissions: [], prefersBorder: true });
    expect(page.html).toContain("No weather yet.");
    expect(page.contentSecurityPolicy).toContain("connect-src https://listed.example;");
  });

  test("the server learns that its pages can be shown, unless the options say otherwise", async () => {
    await using stack = new AsyncDisposableStack();
    const { tools, server } = await open();
    stack.use(server);
    stack.use(tools);
    const [result] = await callTools(tools, ["extensions"]);
    expect(JSON.parse(textOf(result))).toEqual({
      "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] },
    });
  });
});

test("without apps the server learns that its pages are not shown, and its results are as those of other tools", async () => {
  await using tools = mcp({ ...program, apps: false });
  const { events } = await runOf([tools], "forecast");
  const [end] = ofType(events, "tool-end");
  expect([end?.ui, end?.meta]).toEqual([undefined, undefined]);
  expect(textOf(end?.result)).toContain("for the page");
  const [extensions] = await callTools(tools, ["extensions"]);
  expect(textOf(extensions)).toBe("{}");
});

test("tools that are for pages alone are not offered to a model, and a page that is none is reported", async () => {
  await using tools = mcp(program);
  const warnings: string[] = [];
  const listed = await tools.tools({
    context: {},
    agent: undefined,
    messages: [],
    warn: (message) => void warnings.push(message),
  });
  expect(listed.map(({ name, annotations: { ui } }) => [name, ui?.resourceUri])).toEqual([
    ["weather", "ui://weather/view.html"],
    ["forecast", "ui://weather/forecast.html"],
    ["odd", undefined],
    ["extensions", undefined],
  ]);
  expect(warnings).toEqual([
    'The tool "odd" of the MCP server "weather" names a page that cannot be used: _meta.ui.resourceUri must begin with ui:// and have at most 1,000 characters. No app shows its calls.',
  ]);
});

test("what is structured is for the page, where a result has nothing else", async () => {
  await using tools = mcp(program);
  const { events, requests } = await runOf([tools], "forecast");
  const [end] = ofType(events, "tool-end");
  expect(end?.result.structuredContent).toEqual({ city: "Paris", secret: "for the page" });
  expect(textOf(end?.result)).toBe("The tool is done. Its result is for the app that shows it to the user.");
  const texts = requests.flatMap(({ messages }) =>
    messages.map((message) => (message.role === "tool" ? textOf(message.result) : "")),
  );
  expect(texts.join()).not.toContain("for the page");
});

test("a call of a tool without a page has nothing of all that", async () => {
  await using tools = mcp(program);
  const { events } = await runOf([tools], "odd");
  for (const event of [...ofType(events, "tool-start"), ...ofType(events, "tool-end")]) {
    expect(event).not.toHaveProperty("ui");
    expect(event).not.toHaveProperty("meta");
  }
});

test("a renamed tool keeps its page, and a mask hides what was for it", async () => {
  await using tools = mcp(program);
  const renamed = toolset(tools)
    .prefixed("my")
    .withPolicy({ mask: ["degrees"] });
  const { events } = await runOf([renamed], "my_weather");
  const [end] = ofType(events, "tool-end");
  expect(end?.ui).toEqual({ ...view, serverId: tools.serverId });
  expect(end).not.toHaveProperty("meta");
  expect(end?.result.structuredContent).toMatchObject({ degrees: "[hidden]" });
  expect(textOf(end?.result)).toBe("[hidden]");
});

test("a middleware that changes a result takes back what was for the page", async () => {
  await using tools = mcp(program);
  const requests: unknown[] = [];
  const model = new FunctionModel(({ messages }) => {
    requests.push(messages);
    return messages.at(-1)?.role === "tool"
      ? "Done."
      : { toolCalls: [{ toolName: "weather", arguments: { city: "Paris" } }] };
  });
  const agent = new Agent({ name: "Guide", model, tools: [tools] });
  const running = stream(agent, "Weather?", {
    middleware: [
      {
        tool: async (call, _, next) => {
          const result = await next(call);
          return { ...result, content: [{ type: "text", text: "Not for you." }] };
        },
      },
    ],
  });
  const events: RunEvent[] = [];
  for await (const event of running) events.push(event);
  const [end] = ofType(events, "tool-end");
  expect(textOf(end?.result)).toBe("Not for you.");
  expect(end).not.toHaveProperty("meta");
});

test("neither a state nor a journal has what is for the page", async () => {
  await using tools = mcp(program);
  const steps: string[] = [];
  const journal: Journal = {
    step: async (_, perform) => {
      const value = await perform();
      steps.push(JSON.stringify(value));
      return value;
    },
  };
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "tool"
      ? "Done."
      : { toolCalls: [{ toolName: "weather", arguments: { city: "Paris" } }] },
  );
  const events: RunEvent[] = [];
  const { state } = await run(new Agent({ name: "Guide", model, tools: [tools] }), "Weather?", {
    journal,
    runId: "r1",
    onEvent: (event) => void events.push(event),
  });
  expect(ofType(events, "tool-end")[0]?.meta).toMatchObject({ icon: "sun" });
  expect(steps.join()).toContain("18 degrees");
  expect(`${JSON.stringify(state)} ${steps.join()}`).not.toContain('"sun"');
});

test("servers of one name are told apart by program or address, the same way in each process", async () => {
  const url = "https://mcp.example/a?key=one";
  const idOf = (options: Parameters<typeof mcp>[0]): string => mcp(options).serverId;
  const byUrl = idOf({ name: "weather", url });
  expect(byUrl).toBe(idOf({ name: "weather", url: new URL("https://MCP.example/a?key=two") }));
  expect(byUrl).toMatch(/^[\da-f]{16}$/);
  const others = [{ url: "https://mcp.example/b" }, { url: "https://other.example/a" }, program];
  const ids = others.map((options) => idOf({ ...options, name: "weather" }));
  expect(new Set([byUrl, ...ids]).size).toBe(4);
  expect(ids[2]).toBe(idOf({ ...program, name: "weather" }));
  expect(ids[2]).not.toBe(idOf({ ...program, name: "weather", args: ["other.ts"] }));
});

test("what a page says of itself counts before the list of resources", async () => {
  await using tools = mcp(program);
  const page = await tools.readApp("ui://weather/forecast.html");
  expect(page.html).toBe("<p>Für morgen</p>");
  expect(page.permissions).toEqual(["geolocation"]);
  const rules = page.contentSecurityPolicy.split("; ");
  expect(rules).toContain("default-src 'none'");
  expect(rules).toContain("connect-src wss://live.example:8443");
  expect(rules).toContain("img-src data: blob: https://*.cdn.example");
  expect(rules).toContain("frame-src 'none'");
});

test("what is not a page, and a policy that would allow more than it says, are errors", async () => {
  await using tools = mcp(program);
  await expect(tools.readApp("ui://weather/note.txt")).rejects.toMatchObject({
    code: "mcp-request",
    message: expect.stringContaining("is not of the type text/html;profile=mcp-app"),
  });
  await expect(tools.readApp("ui://weather/escaping.html")).rejects.toMatchObject({
    code: "mcp-request",
    message: expect.stringContaining("csp.connectDomains must be a list of at most 100 origins"),
  });
  await expect(tools.readApp("ui://weather/other.html")).rejects.toMatchObject({
    code: "mcp-request",
    message: expect.stringContaining(
      "its answer for ui://weather/other.html is the page ui://weather/view.html",
    ),
  });
  await expect(tools.readApp("ui://weather/none.html")).rejects.toMatchObject({ code: "mcp-request" });
  await expect(tools.readApp("file:///etc/passwd")).rejects.toMatchObject({ code: "invalid-option" });
});
