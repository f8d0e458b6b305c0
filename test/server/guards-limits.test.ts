import { expect, test, vi } from "vitest";
import type { ServeOptions, SkeinServer } from "skein/server";
import { greeter, outcome, refunds, request, served, waiter } from "./serving.ts";

const byHeader: NonNullable<ServeOptions["authorize"]> = ({ headers }) => ({
  user: headers.get("x-user") ?? "nobody",
});

function get(server: SkeinServer, user: string): Promise<Response> {
  return server.fetch(request("GET", "/agents", undefined, { "x-user": user }));
}

function start(server: SkeinServer, agent: string, user = "ada", body: object = {}): Promise<Response> {
  return server.fetch(request("POST", `/runs/${agent}`, { input: "Go.", ...body }, { "x-user": user }));
}

test("a user who sends too many requests is to wait, and others are not", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const server = served(greeter(), { authorize: byHeader, perUser: { requestsPerMinute: 5 } });
    for (let sent = 0; sent < 5; sent++) expect((await get(server, "ada")).status).toBe(200);
    const refused = await get(server, "ada");
    const wait = Number(refused.headers.get("retry-after"));
    expect(await outcome(refused)).toBe("429 too-many-requests");
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(61);
    expect((await get(server, "bob")).status).toBe(200);
    expect((await server.fetch(request("GET", "/health"))).status).toBe(200);
    vi.advanceTimersByTime(wait * 1_000);
    expect((await get(server, "ada")).status).toBe(200);
  } finally {
    vi.useRealTimers();
  }
});

test("requests for what is not there, and wrong ones, count as well", async () => {
  const server = served(greeter(), { perUser: { requestsPerMinute: 2 } });
  await server.fetch(request("GET", "/nothing"));
  await server.fetch(request("POST", "/runs/Hello", "{"));
  expect((await server.fetch(request("GET", "/agents"))).status).toBe(429);
});

test("a user has at most perUser.runs runs at once", async () => {
  const { agent, letGo } = waiter();
  const server = served([agent, refunds()], { authorize: byHeader, perUser: { runs: 2 } });
  for (const id of ["a", "b"]) expect((await start(server, "Waiter", "ada", { id })).status).toBe(202);
  const refused = await start(server, "Waiter");
  expect(refused.headers.get("retry-after")).toBe("5");
  expect(await outcome(refused)).toBe("429 too-many-runs");
  expect((await start(server, "Waiter", "bob")).status).toBe(202);
  letGo();
  await Promise.all(["a", "b"].map((id) => server.runs.get(`ada/${id}`).result()));
  expect((await start(server, "Waiter")).status).toBe(202);
});

test("runs that wait for a decision are not at work", async () => {
  const server = served(refunds(), { authorize: byHeader, perUser: { runs: 1 } });
  for (const id of ["a", "b", "c"]) {
    expect((await start(server, "Refunds", "ada", { id })).status).toBe(202);
    await server.runs.get(`ada/${id}`).result();
  }
});

test("runs that are started all at once are counted as well", async () => {
  const { agent } = waiter();
  const server = served(agent, { authorize: byHeader, perUser: { runs: 3 } });
  const answers = await Promise.all(Array.from({ length: 10 }, () => start(server, "Waiter")));
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(3);
});

test("a request that is repeated starts no run, and is not refused for the first", async () => {
  const { agent } = waiter();
  const server = served(agent, { authorize: byHeader, perUser: { runs: 1 } });
  const same = { id: "a" };
  const first = await start(server, "Waiter", "ada", same);
  const second = await start(server, "Waiter", "ada", same);
  expect([first.status, second.status]).toEqual([202, 202]);
  expect(await second.json()).toMatchObject(same);
});

test.each([{ runs: 0 }, { requestsPerMinute: 0 }, { runs: "many" }, { run: 5 }])(
  "perUser: %j is refused",
  (perUser) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a program in JavaScript may pass
    expect(() => served(greeter(), { perUser: perUser as { runs: number } })).toThrow(/perUser/);
  },
);
