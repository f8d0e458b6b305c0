/** What limits a run, or is around its calls, holds for calls in programs. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { Agent, run, tool, type Middleware, type RunEvent, type ToolPolicy } from "skein";
import { codeMode } from "skein/code";
import { FunctionModel } from "skein/testing";
import { traceAll } from "skein/tracing";
import { useSdk } from "../../test/tracing/current-sdk.ts";
import { programmer, textOf, textsOf } from "./test-run.ts";

const recorder = useSdk();
afterEach(() => traceAll()());

const empty = { type: "object", properties: {} } as const;

/** A tool that counts its calls, and how many of them are under way. */
function counter(name: string, policy: ToolPolicy = {}, ms = 0) {
  const seen = { calls: 0, now: 0, most: 0 };
  const counted = tool({
    name,
    input: { type: "object", properties: { n: { type: "number" } } },
    ...policy,
    execute: async () => {
      seen.calls += 1;
      seen.now += 1;
      seen.most = Math.max(seen.most, seen.now);
      await sleep(ms);
      seen.now -= 1;
      return `${name} ${seen.calls}`;
    },
  });
  return { seen, counted };
}

const first = (policy: ToolPolicy = {}) => counter("first", policy).counted;

test("statistics count the calls in programs, and the programs", async () => {
  const agent = programmer(
    ["for (let i = 0; i < 5; i++) await tools.first(); return 1;", "return await tools.first();"],
    [first()],
  );
  const { stats } = await run(agent, "Go.");
  expect(stats.tools).toMatchObject({ first: { calls: 6 }, execute_typescript: { calls: 2 } });
});

test("a tool that the caller may not use is neither declared nor called", async () => {
  const { seen, counted } = counter("secret", { allow: ({ context }) => Object(context).isAdmin === true });
  const program = "return await tools.secret();";
  const refused = await textOf(program, [counted, first()], {});
  expect(refused).toContain("Unknown tool 'secret'. The tools are: first.");
  expect(await textOf(program, [counted, first()])).toContain('Unknown tool "secret". The tools are: first.');
  expect(seen.calls).toBe(0);
  expect(await textOf(program, [counted, first()], {}, { context: { isAdmin: true } })).toBe("secret 1");
});

test("what a tool requires may have succeeded in an earlier program, also in one that failed, and in an earlier run", async () => {
  const { counted } = counter("second", { requires: ["first"] });
  const tools = [first(), counted];
  const later = "return await tools.second();";
  expect(await textsOf(["return await tools.first();", later], tools)).toEqual(["first 1", "second 1"]);
  const [failed, next] = await textsOf(["await tools.first(); throw new Error('no');", later], tools);
  expect(failed).toContain("no");
  expect(next).toBe("second 2");
  const earlier = await run(programmer(["return await tools.first();"], tools), "Go.");
  const state: typeof earlier.state = JSON.parse(JSON.stringify(earlier.state));
  const again = await run(programmer(["", later], tools), [
    ...state.messages,
    { role: "user", content: "On." },
  ]);
  const answer = again.messages[1];
  expect(answer?.role === "tool" ? answer.result.content : []).toEqual([{ type: "text", text: "second 3" }]);
});

test("what a tool requires has not succeeded in another run, nor side by side, nor by a call that failed", async () => {
  const { seen, counted } = counter("second", { requires: ["first"] });
  const tools = [first(), counted];
  await textOf("return await tools.first();", tools);
  expect(await textOf("return await tools.second();", tools)).toContain('first call "first"');
  const beside = "return (await Promise.allSettled([tools.first(), tools.second()])).map((r) => r.status);";
  expect(await textOf(beside, tools)).toBe('["fulfilled","rejected"]');
  const failing = tool({ name: "first", input: empty, execute: () => Promise.reject(new Error("no")) });
  const after = "try { await tools.first(); } catch {} return await tools.second();";
  expect(await textOf(after, [failing, counted])).toContain('first call "first"');
  expect(seen.calls).toBe(0);
});

test("a cache answers programs with what an earlier program has called", async () => {
  const { seen, counted } = counter("slow", { cache: true });
  const program = "return await Promise.all([tools.slow({ n: 1 }), tools.slow({ n: 1 })]);";
  expect(await textsOf([program, program], [counted])).toEqual(Array(2).fill('["slow 1","slow 1"]'));
  expect(seen.calls).toBe(1);
});

test.each([
  ["parallel of the program", {}, { parallel: 3 }, 3],
  ["concurrency of the tool", { concurrency: 2 }, {}, 2],
  ["serialize of the tool", { serialize: true }, {}, 1],
] as const)("%s limits how many calls are under way", async (_, policy, limits, most) => {
  const { seen, counted } = counter("slow", policy, 2);
  const program = "await Promise.all(Array.from({ length: 12 }, (_, n) => tools.slow({ n }))); return 1;";
  expect(await textOf(program, [counted], { check: false, limits })).toBe("1");
  expect(seen).toEqual({ calls: 12, now: 0, most });
});

test("the limit of a program's calls counts those that fail, are refused or are answered by a cache", async () => {
  const { seen, counted } = counter("cached", { cache: true });
  const { counted: refused } = counter("second", { requires: ["first"] });
  const program = `let left = [];
for (let i = 0; i < 6; i++) {
  for (const call of [() => tools.cached({ n: 1 }), () => tools.cached({ n: "one" }), () => tools.second()])
    try { await call(); } catch (error) { if (error.message.includes("and this one has")) left.push(i); }
}
return left;`;
  const options = { check: false, limits: { calls: 7 } };
  expect(await textOf(program, [counted, refused, first()], options)).toBe("[2,2,3,3,3,4,4,4,5,5,5]");
  expect(seen.calls).toBe(1);
});

test("the tokens of an agent that a program calls count in the run's budget", async () => {
  const usage = { inputTokens: 60, outputTokens: 40, totalTokens: 100 };
  let lines = 0;
  const poet = new Agent({
    name: "Poet",
    description: "Writes.",
    model: new FunctionModel(() => ({ text: `Line ${++lines}.`, usage })),
  });
  const code = `const texts = [];
for (let i = 0; i < 5; i++) try { texts.push(await tools.poet({ input: "geese" })); } catch { texts.push("no"); }
return texts;`;
  const model = new FunctionModel(({ messages }) =>
    messages.length > 1
      ? { text: "Done.", usage }
      : { toolCalls: [{ toolName: "execute_typescript", arguments: { code } }], usage },
  );
  const agent = new Agent({ name: "A", model, tools: [codeMode([poet.asTool()], { check: false })] });
  const { status, messages } = await run(agent, "Go.", { maxTokens: 250 });
  expect(status).toBe("budget");
  // The program's turn and two lines are above it.
  expect(lines).toBe(2);
  expect(messages[1]).toMatchObject({
    result: { structuredContent: ["Line 1.", "Line 2.", "no", "no", "no"] },
  });
});

test("a run that is cancelled, or over its time, ends its program and what that has called", async () => {
  const signals: AbortSignal[] = [];
  const stuck = tool({
    name: "stuck",
    input: empty,
    execute: (_: unknown, { signal }: { readonly signal: AbortSignal }) => {
      signals.push(signal);
      return new Promise(() => {});
    },
  });
  const stop = new AbortController();
  const program = "return await tools.stuck();";
  const cancelled = run(programmer([program], [stuck]), "Go.", { signal: stop.signal });
  while (signals.length === 0) await sleep(1);
  stop.abort();
  expect((await cancelled).status).toBe("cancelled");
  const over = await run(programmer([program], [stuck]), "Go.", { timeout: 200 });
  expect(over.status).toBe("cancelled");
  expect(signals.filter(({ aborted }) => !aborted)).toEqual([]);
});

test("a middleware changes calls in programs, answers them, and refuses them", async () => {
  const { seen, counted } = counter("work");
  const around: Middleware = {
    async tool(call, { key }, next) {
      if (call.toolName !== "work") return next(call);
      expect(key.parent).toMatchObject({ kind: "tool", turn: 1 });
      const { n } = JSON.parse(call.arguments);
      if (n === 1) throw new Error("not one");
      const result = await next({ ...call, arguments: '{"n":9}' });
      return n === 2 ? { ...result, content: [{ type: "text", text: "changed" }] } : result;
    },
  };
  const program = `const texts = [];
for (const n of [1, 2, 3]) try { texts.push(await tools.work({ n })); } catch (error) { texts.push(error.message); }
return texts;`;
  const inputs: string[] = [];
  const onEvent = (event: RunEvent): void => {
    if (event.type === "tool-end" && event.result.toolName === "work") inputs.push(event.result.outcome);
  };
  const text = await textOf(program, [counted], undefined, { middleware: [around], onEvent });
  expect(JSON.parse(text)).toEqual([expect.stringContaining("not one"), "changed", "work 2"]);
  expect([seen.calls, inputs]).toEqual([2, ["error", "success", "success"]]);
});

test("each call in a program is a span below that of the program, with its outcome", async () => {
  traceAll();
  const failing = tool({ name: "failing", input: empty, execute: () => Promise.reject(new Error("no")) });
  await textOf("await tools.first(); try { await tools.failing(); } catch {} return 1;", [first(), failing]);
  const spans = new Map(recorder.ended.map((span) => [span.name, span]));
  const outer = spans.get("execute_tool execute_typescript")?.spanContext().spanId ?? "";
  expect(outer).not.toBe("");
  const seen = ["first", "failing"].map((name) => {
    const span = spans.get(`execute_tool ${name}`);
    return [span?.parentSpanContext?.spanId, span?.attributes["skein.tool.outcome"]];
  });
  expect(seen).toEqual([
    [outer, "success"],
    [outer, "error"],
  ]);
});

test("a journal has each call under the program's, and the model's other calls beside it", async () => {
  const keys: string[] = [];
  const journal = {
    step: <T>(key: string, perform: () => Promise<T>): Promise<T> => {
      keys.push(key);
      return perform();
    },
  };
  const model = new FunctionModel(({ messages }) =>
    messages.length > 1
      ? "Done."
      : {
          toolCalls: [
            {
              toolCallId: "a",
              toolName: "execute_typescript",
              arguments: { code: "await tools.first(); return await tools.first({ n: 1 });" },
            },
            { toolCallId: "b", toolName: "direct", arguments: {} },
          ],
        },
  );
  const tools = [codeMode([first(), counter("direct").counted], { check: false, direct: ["direct"] })];
  await run(new Agent({ name: "A", model, tools }), "Go.", { journal });
  const nested = keys.filter((key) => key.includes("first"));
  expect(new Set(nested).size).toBe(2);
  expect(nested.every((key) => key.includes("tool/a"))).toBe(true);
  expect(keys.some((key) => key.endsWith("tool/b"))).toBe(true);
});
