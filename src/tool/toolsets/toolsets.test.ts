import { describe, expect, test } from "vitest";
import type { Message } from "../../message/messages.ts";
import { executeToolCalls, tool, toolset } from "../../index.ts";
import type { FunctionToolOptions, Tool, Toolset, ToolsetContext } from "../types.ts";

const scope: ToolsetContext = { context: { role: "guest" }, agent: undefined, messages: [] };
const named = (name: string, options: Omit<FunctionToolOptions, "name" | "input"> = {}): Tool =>
  tool({ ...options, name, input: { type: "object", properties: {} }, execute: () => `${name} was called` });
const listed = (name: string, ...tools: readonly Tool[]): Toolset => ({ name, tools: () => tools });
const namesOf = async (set: Toolset, context = scope): Promise<string[]> =>
  (await set.tools(context)).map(({ name }) => name);

describe("a set of several", () => {
  test("has a name of its own, or that of its only set", () => {
    expect(toolset([named("a")]).name).toBe("toolset");
    expect(toolset([listed("github")]).name).toBe("github");
    expect(toolset(listed("github")).name).toBe("github");
    expect(toolset([listed("github"), named("a")]).name).toBe("toolset");
    expect(toolset([listed("github")], "mine").prefixed("x").name).toBe("mine");
  });

  test("is asked again each turn, and gives the same tools as long as its sources do", async () => {
    let tools = [named("a")];
    const set = toolset([{ name: "growing", tools: () => tools }, named("own")]);
    const first = await set.tools(scope);
    expect(await set.tools(scope)).toBe(first);
    tools = [...tools, named("b")];
    expect(await namesOf(set)).toEqual(["a", "b", "own"]);
  });

  test("puts the name of a set in front of a name that is taken, by its own tools or by others", async () => {
    expect(await namesOf(toolset([named("a"), listed("one", named("a"))]))).toEqual(["a", "one_a"]);
    expect(await namesOf(toolset([listed("one", named("a")), named("a")]))).toEqual(["one_a", "a"]);
    expect(await namesOf(toolset([listed("one", named("a"), named("a")), named("b")]))).toEqual([
      "a",
      "one_a",
      "b",
    ]);
  });
});

describe("renaming", () => {
  test("takes names from a list of its own alone", async () => {
    const set = toolset([named("a"), named("toString")]).renamed({ a: "b" });
    expect(await namesOf(set)).toEqual(["b", "toString"]);
    expect(await namesOf(set.prefixed("x"))).toEqual(["x_b", "x_toString"]);
  });

  test("leaves a tool that keeps its name as it is", async () => {
    const [a, b] = [named("a"), named("b")];
    const [, second] = await toolset(listed("s", a, b))
      .renamed({ a: "c" })
      .tools(scope);
    const [first] = await toolset(listed("s", a, b)).tools(scope);
    expect(second?.execute).toBe(b.execute);
    expect(first?.name).toBe("a");
  });
});

describe("filtering", () => {
  test("warns of names that the set does not have, where they are not for a search to find", async () => {
    const warnings: string[] = [];
    const warn = (message: string): void => void warnings.push(message);
    const set = toolset(listed("shop", named("search"), named("pay")));
    await set
      .filtered(["serach", "pay"])
      .renamed({ pya: "buy" })
      .tools({ ...scope, warn });
    await set
      .filtered(["search", "pay"])
      .renamed({ pay: "buy" })
      .tools({ ...scope, warn });
    await set
      .deferred()
      .filtered(["search_tools", "pay"])
      .tools({ ...scope, warn });
    expect(warnings).toEqual([
      'filtered() of the toolset shop names "serach", which it does not have. It has "search", "pay".',
      'renamed() of the toolset shop names "pya", which it does not have. It has "pay".',
    ]);
  });

  test("keeps the same list where the choice is the same", async () => {
    let kept = "a";
    const set = toolset([named("a"), named("b")]).filtered(({ name }) => name === kept);
    const first = await set.tools(scope);
    expect(await set.tools(scope)).toBe(first);
    kept = "b";
    expect(await namesOf(set)).toEqual(["b"]);
  });

  test("refuses a function that answers later", async () => {
    const set = toolset([named("a")], "mine").filtered((async () => true) as never);
    await expect(set.tools(scope)).rejects.toMatchObject({
      code: "invalid-option",
      data: { option: "filtered" },
      message: expect.stringContaining(
        "filtered() for the toolset mine must return true or false, not a promise.",
      ),
    });
  });
});

describe("policies of a set", () => {
  test("are checked when they are set", () => {
    const set = toolset([named("a")]);
    expect(() => set.withPolicy({ timeot: 5 } as never)).toThrow('withPolicy() has no option "timeot"');
    expect(() => set.withPolicy({ retries: -1 })).toThrow("retries of withPolicy() must be");
  });

  test("leave what they do not name, and can take an approval back", async () => {
    const set = toolset([named("a", { timeout: 5, approval: true })]);
    expect((await set.withApproval(false).tools(scope))[0]?.policy).toEqual({ timeout: 5, approval: false });
    expect((await set.withTimeout(7).tools(scope))[0]?.policy).toEqual({ timeout: 7, approval: true });
  });
});

test("closing a set closes what can be closed", async () => {
  await expect(toolset([named("a"), listed("s", named("b"))]).close()).resolves.toBeUndefined();
});

describe("a set that is searched", () => {
  const found = (toolName: string, structuredContent: unknown): Message => ({
    role: "tool",
    result: {
      toolCallId: "1",
      toolName,
      content: [],
      isError: false,
      outcome: "success",
      structuredContent,
    } as never,
  });
  const search = async (set: Toolset, args: string, name = "search_tools"): Promise<unknown> => {
    const [result] = await executeToolCalls([{ toolCallId: "1", toolName: name, arguments: args }], [set], {
      context: scope.context as object,
    });
    return result?.structuredContent;
  };

  test.each([0, -1, Number.NaN])("cannot be limited to %s", (limit) => {
    expect(() => toolset([named("a")]).deferred({ limit })).toThrow(
      expect.objectContaining({
        code: "invalid-tool",
        message: `limit of deferred() is ${limit}. It must be a number above 0.`,
      }),
    );
  });

  test("has no unknown option", () => {
    expect(() => toolset([named("a")]).deferred({ limits: 5 } as never)).toThrow(
      'deferred() has no option "limits"',
    );
  });

  test("has a search with a name of one's own, and a schema that takes a query alone", async () => {
    const [searching, ...others] = await toolset([named("mail")])
      .deferred({ name: "find" })
      .tools(scope);
    expect(others).toEqual([]);
    expect(searching).toMatchObject({
      name: "find",
      description: expect.stringContaining("Finds further tools"),
    });
    expect(searching?.inputSchema.jsonSchema).toMatchObject({
      type: "object",
      properties: { query: { type: "string" } },
      required: ["query"],
      additionalProperties: false,
    });
  });

  test("answers with names and descriptions, five at most by default", async () => {
    const mails = Array.from({ length: 8 }, (_, index) =>
      named(`mail${index}`, { description: `Sends mail ${index}` }),
    );
    const set = toolset([...mails, named("bare")]).deferred();
    expect(await search(set, '{"query":"sends"}')).toMatchObject({
      tools: expect.objectContaining({ length: 5 }),
    });
    expect(await search(set, '{"query":"bare"}')).toMatchObject({
      tools: [{ name: "bare", description: "" }],
    });
    expect(await search(toolset(mails).deferred({ limit: 2 }), '{"query":"sends"}')).toMatchObject({
      tools: { length: 2 },
    });
    expect(
      await search(toolset(mails).deferred({ name: "find" }), '{"query":"mail3"}', "find"),
    ).toMatchObject({
      tools: [{ name: "mail3" }],
    });
  });

  test("finds what the caller may use alone, and as many of it as there are", async () => {
    const fails = (): boolean => {
      throw new Error("no");
    };
    const tools = [
      named("mailA", { allow: () => false, description: "mail" }),
      named("mailB", { allow: async () => false, description: "mail" }),
      named("mailC", { allow: fails, description: "mail" }),
      named("mailD", { allow: (() => "yes") as never, description: "mail" }),
      named("mailE", { allow: async ({ context }) => Object(context).role === "guest", description: "mail" }),
      named("mailF", { description: "mail" }),
    ];
    expect(await search(toolset(tools).deferred({ limit: 2 }), '{"query":"mail"}')).toMatchObject({
      tools: [
        { name: "mailE", description: "mail" },
        { name: "mailF", description: "mail" },
      ],
    });
  });

  test("has what a conversation has found, read once, with what that requires", async () => {
    const tools = [
      named("a", { requires: ["b"] }),
      named("b", { deprecated: { use: "c" } }),
      named("c"),
      named("d"),
    ];
    const set = toolset(tools).deferred();
    const messages: Message[] = [{ role: "user", content: "hi" }];
    const context = { ...scope, messages };
    const none = await set.tools(context);
    expect(none.map(({ name }) => name)).toEqual(["search_tools"]);
    messages.push(found("search_tools", { tools: [{ name: "a" }, "b", null, { name: 7 }] }));
    const some = await set.tools(context);
    expect(some.map(({ name }) => name)).toEqual(["search_tools", "a", "b", "c"]);
    expect(await set.tools(context)).toBe(some);
    messages.push(found("search_tools", { tools: [{ name: "d" }] }));
    expect(await namesOf(set, context)).toEqual(["search_tools", "a", "b", "c", "d"]);
  });

  test.each<[string, Message]>([
    ["another tool's result", found("other", { tools: [{ name: "a" }] })],
    ["a result without a list", found("search_tools", { tools: { name: "a" } })],
    ["a result that is a list", found("search_tools", [{ name: "a" }])],
    ["a result without content", found("search_tools", undefined)],
    ["a user's words", { role: "user", content: "search_tools" }],
  ])("has found nothing by %s", async (_, message) => {
    const set = toolset([named("a")]).deferred();
    expect(await namesOf(set, { ...scope, messages: [message] })).toEqual(["search_tools"]);
  });

  test("has what was found before and after its history was made shorter", async () => {
    const set = toolset([named("a"), named("b")]).deferred();
    const hello: Message = { role: "user", content: "hi" };
    const messages = [hello, found("search_tools", { tools: [{ name: "a" }] }), hello];
    const context = { ...scope, messages };
    expect(await namesOf(set, context)).toEqual(["search_tools", "a"]);
    messages.splice(0, 3, { ...hello }, found("search_tools", { tools: [{ name: "b" }] }));
    expect(await namesOf(set, context)).toEqual(["search_tools", "a", "b"]);
  });

  test.each<[string, object, readonly string[]]>([
    ["its own", {}, ["search_tools", "a"]],
    ["a set that it is in", { path: ["all"] }, ["search_tools"]],
    ["another set", { path: ["all", "other"] }, ["search_tools"]],
    ["another call", { searchCall: "2" }, ["search_tools"]],
    ["no set", { path: [7] }, ["search_tools"]],
  ])("reads where the search of a result belongs: %s", async (_, change, names) => {
    const set = toolset([named("a")], "mine").deferred();
    const answer = { searchCall: "1", path: ["all", "mine"], tools: [{ name: "x_a", origin: ["", "a"] }] };
    const messages = [found("x_find", { ...answer, ...change })];
    expect(await namesOf(set, { ...scope, path: ["all", "mine"], messages })).toEqual(names);
  });

  test("shows what was found although the set changes", async () => {
    let tools = [named("a")];
    const set = toolset({ name: "growing", tools: () => tools }).deferred();
    const context = { ...scope, messages: [found("search_tools", { tools: [{ name: "b" }] })] };
    expect(await namesOf(set, context)).toEqual(["search_tools"]);
    tools = [...tools, named("b")];
    expect(await namesOf(set, context)).toEqual(["search_tools", "b"]);
  });
});
