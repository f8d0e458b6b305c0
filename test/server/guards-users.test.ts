import { expect, test } from "vitest";
import type { Authorization, ServeOptions, SkeinServer } from "skein/server";
import { eventsOf, greeter, outcome, refunds, request, served, waiter } from "./serving.ts";

/** Users come with their name as it is, so that a test can have any. */
const byHeader: NonNullable<ServeOptions["authorize"]> = ({ headers }) => {
  const user = headers.get("x-user");
  return user === null ? 401 : { user: decodeURIComponent(user) };
};

const as = (user: string): { readonly "x-user": string } => ({ "x-user": encodeURIComponent(user) });

test.each<[what: string, authorize: () => unknown, expected: string]>([
  ["401", () => 401, "401 unauthorized"],
  ["403", () => 403, "403 forbidden"],
  ["undefined", () => undefined, "401 unauthorized"],
  ["null", () => null, "401 unauthorized"],
  ["false", () => false, "401 unauthorized"],
  ["a promise of 401", async () => 401, "401 unauthorized"],
  ["a Response", () => new Response("No.", { status: 418 }), "418"],
  ["a redirection", () => Response.redirect("https://login.example/"), "302"],
  ["true", () => true, "500 internal"],
  ["a name", () => "ada", "500 internal"],
  ["another status", () => 500, "500 internal"],
  ["nobody", () => ({}), "500 internal"],
  ["an empty name", () => ({ user: "" }), "500 internal"],
  ["a number", () => ({ user: 5 }), "500 internal"],
  ["a long name", () => ({ user: "x".repeat(81) }), "500 internal"],
  ["half a letter", () => ({ user: "\ud800" }), "500 internal"],
  ["agents that are not a list", () => ({ user: "ada", agents: "Hello" }), "500 internal"],
  ["a decide that is not a truth value", () => ({ user: "ada", decide: "no" }), "500 internal"],
  ["a context that is not data", () => ({ user: "ada", context: { db: () => {} } }), "500 internal"],
  ["Response.error()", () => Response.error(), "500 internal"],
])("authorize that returns %s", async (_what, authorize, expected) => {
  const errors: unknown[] = [];
  const server = served(greeter(), {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a program in JavaScript may return
    authorize: authorize as () => Authorization,
    onError: (error) => void errors.push(error),
  });
  const response = await server.fetch(request("POST", "/runs/Hello", { input: "Hi" }));
  expect(response.headers.get("x-request-id")).not.toBeNull();
  expect(await outcome(response)).toBe(expected);
  expect(errors).toHaveLength(expected.startsWith("500") ? 1 : 0);
});

test.each(["\ud800", "x".repeat(81), ""])(
  "of a user that cannot be one, the program reads what to return: %j",
  async (user) => {
    const errors: unknown[] = [];
    const server = served(greeter(), {
      authorize: () => ({ user }),
      onError: (error) => void errors.push(error),
    });
    await server.fetch(request("GET", "/agents"));
    const message = expect.stringContaining("authorize must return { user }, with 1 to 80 characters");
    expect(errors).toEqual([expect.objectContaining({ message })]);
  },
);

test("an authorize that throws is reported once, and its words are not answered", async () => {
  const errors: unknown[] = [];
  const failure = new Error("The database db.internal refused the password hunter2.");
  const server = served(greeter(), {
    authorize: () => Promise.reject(failure),
    onError: (error, about) => errors.push(error, about.request?.url),
  });
  const response = await server.fetch(request("GET", "/agents"));
  const text = await response.text();
  expect(response.status).toBe(500);
  expect(text).toContain(response.headers.get("x-request-id"));
  expect(text).not.toMatch(/hunter2|database|Error/);
  expect(errors).toEqual([failure, "http://localhost:3000/agents"]);
});

test("a Response of authorize that was sent before, and a body that it has read, are reported", async () => {
  const errors: string[] = [];
  const onError = (error: unknown): void => void errors.push(String(error));
  const refusal = new Response("No.", { status: 403 });
  const shared = served(greeter(), { authorize: () => refusal, onError });
  expect(await outcome(await shared.fetch(request("GET", "/agents")))).toBe("403");
  expect(await outcome(await shared.fetch(request("GET", "/agents")))).toBe("500 internal");
  const authorize = async (each: Request): Promise<Authorization> => {
    await each.text();
    return { user: "ada" };
  };
  const greedy = served(greeter(), { authorize, onError });
  expect(await outcome(await greedy.fetch(request("POST", "/runs/Hello", { input: "Hi" })))).toBe(
    "500 internal",
  );
  expect(errors).toEqual([
    expect.stringContaining("authorize returned a Response that was sent before"),
    expect.stringContaining("request.clone()"),
  ]);
});

test("authorize is called before everything: for each route, known or not, and for resumption", async () => {
  const calls: string[] = [];
  const server = served(greeter(), {
    authorize: ({ method, url }) => {
      calls.push(`${method} ${new URL(url).pathname}`);
      return 401;
    },
  });
  const requests: [string, string][] = [
    ["POST", "/runs/Hello"],
    ["GET", "/runs/a/events"],
    ["HEAD", "/runs/a/events"],
    ["POST", "/runs/a/decide"],
    ["GET", "/nothing"],
    ["PUT", "/agents"],
  ];
  for (const [method, path] of requests) {
    const response = await server.fetch(request(method, path, method === "POST" ? "not JSON" : undefined));
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
  }
  expect(calls).toEqual(requests.map((each) => each.join(" ")));
  expect((await server.fetch(request("GET", "/health"))).status).toBe(200);
  expect(calls).toHaveLength(requests.length);
});

/** What ada has: a run that waits for a decision, one that works and one that has ended. */
async function adasServer(): Promise<{
  readonly server: SkeinServer;
  readonly approvalId: string;
  readonly callId: string;
}> {
  const { agent } = waiter();
  const server = served([refunds(), agent, greeter()], { authorize: byHeader });
  const start = (name: string, id: string): Promise<Response> =>
    server.fetch(
      request("POST", `/runs/${name}`, { input: "Secret wish", id, session: `s-${id}` }, as("ada")),
    );
  await Promise.all([start("Refunds", "paused"), start("Waiter", "working"), start("Hello", "ended")]);
  await server.runs.get("ada/ended").result();
  const { pending } = await server.runs.get("ada/paused").result();
  const [call] = pending;
  return { server, approvalId: call?.approvalId ?? "", callId: call?.toolCallId ?? "" };
}

test("nothing of one user opens anything of another: whatever the id, the answer is 404", async () => {
  const { server, approvalId, callId } = await adasServer();
  const decisions = [{ approvalId, decision: "approve" }];
  const result = { toolCallId: callId, content: "x" };
  const names = ["paused", "working", "ended"];
  const forms = names.flatMap((name) => [name, `ada/${name}`, `../ada/${name}`, `ada%2F${name}`]);
  const requests = forms.map(encodeURIComponent).flatMap((id): [string, string, unknown?][] => [
    ["GET", `/runs/${id}`],
    ["HEAD", `/runs/${id}`],
    ["GET", `/runs/${id}/events`],
    ["GET", `/runs/${id}/events?after=1`],
    ["POST", `/runs/${id}/decide`, { decisions }],
    ["POST", `/runs/${id}/resolve`, result],
    ["POST", `/runs/${id}/cancel`, {}],
    ["POST", `/runs/${id}/steer`, { message: "Obey me." }],
    ["POST", `/runs/${id}/queue`, { message: "Obey me." }],
  ]);
  const before = await server.runs.list();
  for (const [method, path, body] of requests) {
    const response = await server.fetch(request(method, path, body, as("bob")));
    const text = await response.text();
    expect([method, path, response.status]).toEqual([method, path, 404]);
    expect(text).not.toMatch(/Secret wish|Refunds|"order"/);
  }
  for (const session of ["s-paused", "s-working", "s-ended"])
    expect((await server.fetch(request("GET", `/sessions/${session}`, undefined, as("bob")))).status).toBe(
      404,
    );
  expect(await server.runs.list()).toEqual(before);
});

test("ids and conversations of two users may be the same, and are two", async () => {
  const { server, approvalId } = await adasServer();
  const start = { input: "Mine", id: "paused", session: "s-paused" };
  const mine = await server.fetch(
    request("POST", "/runs/Hello", start, { ...as("bob"), accept: "text/event-stream" }),
  );
  expect(await eventsOf(mine)).toContainEqual(
    expect.objectContaining({ type: "run-end", status: "completed" }),
  );
  const body = { session: "s-paused", decisions: [{ approvalId, decision: "approve" }] };
  const decided = await server.fetch(request("POST", "/runs/Refunds", body, as("bob")));
  expect(await outcome(decided)).toBe("409 nothing-waits");
  const session = await server.fetch(request("GET", "/sessions/s-paused", undefined, as("bob")));
  expect(await session.json()).toMatchObject({ run: { agent: "Hello" }, pending: [] });
  expect((await server.runs.get("ada/paused").state()).status).toBe("paused");
});

test.each([
  "a/b",
  "a%2Fb",
  "..",
  ".",
  "../ada",
  "ada/",
  "Ærøskøbing",
  "鴨",
  "a b",
  "__proto__",
  "ada\u0000",
  "x".repeat(80),
])("the user %j has runs of their own", async (user) => {
  const server = served(refunds(), { authorize: byHeader });
  for (const each of ["ada", user])
    await server.fetch(request("POST", "/runs/Refunds", { input: "Hi", id: "a", session: "s" }, as(each)));
  const own = await server.fetch(request("GET", "/runs/a", undefined, as(user)));
  expect(await own.json()).toMatchObject({ id: "a", session: "s", agent: "Refunds" });
  await server.fetch(request("POST", "/runs/a/cancel", {}, as(user)));
  const other = await server.fetch(request("GET", "/runs/a", undefined, as("ada")));
  expect(await other.json()).toMatchObject({ id: "a", status: expect.not.stringMatching("cancelled") });
  const ids = (await server.runs.list()).map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
});

/** One user with two keys: one for all agents, one for some. */
function twoKeys(): SkeinServer {
  return served(
    { refunds: refunds(), hello: greeter() },
    {
      authorize: ({ headers }) =>
        headers.has("x-all") ? { user: "ada" } : { user: "ada", agents: ["hello"] },
    },
  );
}

test("a user may use the agents that authorize lists, and sees no others", async () => {
  const server = twoKeys();
  expect(await (await server.fetch(request("GET", "/agents"))).json()).toEqual({
    agents: [{ name: "hello" }],
  });
  expect((await server.fetch(request("POST", "/runs/refunds", { input: "Hi" }))).status).toBe(404);
  const start = { input: "Hi", id: "a", session: "s" };
  await server.fetch(request("POST", "/runs/refunds", start, { "x-all": "" }));
  await server.runs.get("ada/a").result();
  for (const path of ["/runs/a", "/runs/a/events", "/sessions/s"])
    expect((await server.fetch(request("GET", path))).status).toBe(404);
  for (const path of ["decide", "cancel", "steer", "queue", "resolve"])
    expect((await server.fetch(request("POST", `/runs/a/${path}`, {}))).status).toBe(404);
});

test("nor does a run of another agent open by its id or its conversation", async () => {
  const server = twoKeys();
  const start = { input: "Hi", id: "a", session: "s" };
  await server.fetch(request("POST", "/runs/refunds", start, { "x-all": "" }));
  const { pending } = await server.runs.get("ada/a").result();
  const repeated = await server.fetch(request("POST", "/runs/hello", start));
  expect([repeated.status, await repeated.text()]).toEqual([
    expect.any(Number),
    expect.not.stringContaining("refund"),
  ]);
  expect(repeated.status).toBeGreaterThanOrEqual(400);
  const decisions = [{ approvalId: pending[0]?.approvalId, decision: "approve" }];
  const decided = await server.fetch(request("POST", "/runs/hello", { session: "s", decisions }));
  expect(decided.status).toBeGreaterThanOrEqual(400);
  expect((await server.runs.get("ada/a").state()).status).toBe("paused");
});
