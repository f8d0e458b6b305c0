/** Pages of MCP servers (MCP Apps) behind `serve()`: who may read them, and under which rules. */
import { Agent } from "skein";
import { connect, type RemoteEvent, type RemoteRun } from "skein/client";
import { serve } from "skein/server";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { guide, resourceUri, weatherServer } from "./app-servers.ts";
import { eventsOf, listening, outcome, request, served } from "./serving.ts";

const html = "<!doctype html><title>Weather</title><p>Warm.</p>";

/** The events of a run whose call has a page. */
async function eventsWithPage(running: RemoteRun): Promise<readonly RemoteEvent[]> {
  const events: RemoteEvent[] = [];
  for await (const event of running) events.push(event);
  return events.filter((event) => event.type === "agent-event" || "ui" in event);
}

test("a client sees which page shows a call, and reads it with its rules in it", async () => {
  const weather = await weatherServer(html, {
    csp: { connectDomains: ["https://api.example"] },
    prefersBorder: true,
  });
  const { url } = await listening({ guide: guide([weather]) }, { apps: [weather] });
  const running = connect(url).stream("guide", "Weather?");
  const [start, end] = await eventsWithPage(running);
  expect(start).toMatchObject({ type: "tool-start", ui: { server: "weather", resourceUri } });
  expect(end).toMatchObject({
    type: "tool-end",
    ui: { server: "weather", resourceUri },
    meta: { icon: "sun" },
    result: { structuredContent: { city: "Paris", degrees: 18 } },
  });
  const app = await running.app(end?.index ?? -1);
  expect(app).toMatchObject({ server: "weather", resourceUri, permissions: [], prefersBorder: true });
  expect(app.html).toMatch(
    /^<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none';/,
  );
  expect(app.html).toContain("connect-src https://api.example;");
  expect(app.html).toContain(html);
});

test("as a page of its own it is sandboxed, and only pages of the server and of cors may frame it", async () => {
  const weather = await weatherServer(html, { permissions: { camera: {} } });
  const { url } = await listening(
    { guide: guide([weather]) },
    { apps: [weather], authorize: () => ({ user: "ada" }), cors: ["https://shop.example"] },
  );
  const running = connect(url).stream("guide", "Weather?");
  const [start] = await eventsWithPage(running);
  const response = await fetch(`${url}/runs/${running.id}/apps/${start?.index}`, {
    headers: { accept: "text/html" },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(response.headers.get("referrer-policy")).toBe("no-referrer");
  expect(response.headers.get("permissions-policy")).toBe("microphone=(), geolocation=()");
  const rules = response.headers.get("content-security-policy")?.split("; ") ?? [];
  expect(rules).toContain("sandbox allow-scripts");
  expect(rules).toContain("frame-ancestors 'self' https://shop.example");
  expect(rules).toContain("connect-src 'none'");
  expect(await response.text()).toContain("Warm.");
});

test("only the user of the run, and only by events of its calls, reads a page", async () => {
  const weather = await weatherServer(html);
  const server = served(
    { guide: guide([weather]) },
    { apps: [weather], authorize: ({ headers }) => ({ user: headers.get("x-user") ?? "nobody" }) },
  );
  const as = (user: string): Readonly<Record<string, string>> => ({ "x-user": user });
  const started = await server.fetch(
    request(
      "POST",
      "/runs/guide",
      { id: "r1", input: "Weather?" },
      { ...as("ada"), accept: "text/event-stream" },
    ),
  );
  const events = await eventsOf(started);
  const index = events.find(({ type }) => type === "tool-start")?.["index"];
  const read = async (path: string, user = "ada"): Promise<string> =>
    outcome(await server.fetch(request("GET", path, undefined, as(user))));
  expect(await read(`/runs/r1/apps/${String(index)}`)).toBe("200");
  expect(await read(`/runs/r1/apps/${String(index)}`, "eve")).toBe("404 not-found");
  const own = String(index);
  const respelled = [`0${own}`, `+${own}`, `%20${own}`, `${own}.0`, `${own}e0`, `0x${own}`, "9".repeat(400)];
  for (const other of ["0", "9999", "-1", "1.5", "weather", encodeURIComponent(resourceUri), ...respelled])
    expect(await read(`/runs/r1/apps/${other}`)).toBe("404 not-found");
});

test("a server that is not in apps has no pages here, nor has one whose calls are not shown", async () => {
  const weather = await weatherServer(html);
  const agents = { guide: guide([weather]) };
  for (const options of [{}, { apps: [weather], show: { toolCalls: false } }]) {
    const { url } = await listening(agents, options);
    const running = connect(url).stream("guide", "Weather?");
    let last = 0;
    for await (const { index } of running) last = index;
    expect(last).toBeGreaterThan(3);
    for (let index = 0; index <= last; index++)
      await expect(running.app(index)).rejects.toMatchObject({ code: "not-found", status: 404 });
  }
});

test("a call of another server of the same name does not lead to the page of one in apps", async () => {
  const [weather, other] = [await weatherServer(html), await weatherServer("<p>Another page.</p>")];
  expect(other.name).toBe(weather.name);
  const { url } = await listening({ guide: guide([other]) }, { apps: [weather] });
  const running = connect(url).stream("guide", "Weather?");
  const [start] = await eventsWithPage(running);
  expect(start).toMatchObject({ ui: { server: "weather", resourceUri } });
  await expect(running.app(start?.index ?? -1)).rejects.toMatchObject({ code: "not-found", status: 404 });
});

test("clients do not see what tells servers of one name apart", async () => {
  const weather = await weatherServer(html);
  const { url } = await listening({ guide: guide([weather]) }, { apps: [weather] });
  const running = connect(url).stream("guide", "Weather?");
  const events = await eventsWithPage(running);
  const app = await running.app(events[0]?.index ?? -1);
  expect(JSON.stringify([events, app])).not.toContain(weather.serverId);
});

test("without results of tools a client has the page, and nothing for it", async () => {
  const weather = await weatherServer(html);
  const { url } = await listening(
    { guide: guide([weather]) },
    { apps: [weather], show: { toolResults: false } },
  );
  const running = connect(url).stream("guide", "Weather?");
  const [, end] = await eventsWithPage(running);
  expect(end).not.toHaveProperty("meta");
  expect(end).not.toHaveProperty("result.structuredContent");
  expect((await running.app(end?.index ?? -1)).html).toContain("Warm.");
});

test("the call of an agent within a tool is shown by the event around it", async () => {
  const weather = await weatherServer(html);
  const inner = guide([weather]).with({ name: "Inner" });
  const { url } = await listening(
    { guide: guide([inner.asTool({ name: "ask" })], "ask") },
    { apps: [weather] },
  );
  const running = connect(url).stream("guide", "Weather?");
  const events = await eventsWithPage(running);
  const around = events.find((event) => event.type === "agent-event" && event.event.type === "tool-start");
  expect(around).toMatchObject({ event: { ui: { server: "weather", resourceUri } } });
  expect((await running.app(around?.index ?? -1)).html).toContain("Warm.");
});

test("a page that its server does not send is an error, whose reason only the program learns", async () => {
  const weather = await weatherServer(html, { csp: { connectDomains: ["https://a.example; script-src *"] } });
  const reasons: unknown[] = [];
  const { url } = await listening(
    { guide: guide([weather]) },
    { apps: [weather], onError: (error) => reasons.push(error) },
  );
  const running = connect(url).stream("guide", "Weather?");
  const [start] = await eventsWithPage(running);
  await expect(running.app(start?.index ?? -1)).rejects.toMatchObject({ code: "app-failed", status: 500 });
  expect(String(reasons[0])).toContain("csp.connectDomains must be a list of at most 100 origins");
});

test("apps that are not servers, or have one name, are refused when the server is made", async () => {
  const weather = await weatherServer(html);
  const agent = new Agent({ name: "Guide", model: new FunctionModel(() => "Hi.") });
  expect(() => serve(agent, { apps: [weather, weather] })).toThrow(
    'apps has two servers that are called "weather"',
  );
  expect(() => serve(agent, JSON.parse('{ "apps": [{ "name": "weather" }] }'))).toThrow(
    /apps has .*, which is not what mcp\(\)/,
  );
  expect(() => serve(agent, JSON.parse('{ "apps": {} }'))).toThrow("apps must be a list");
});
