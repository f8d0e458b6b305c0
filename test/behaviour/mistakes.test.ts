import { inspect } from "node:util";
import { expect, test } from "vitest";
import { Agent, generate, run, stream, tool, toolkit, type RunEvent } from "skein";
import { fallback } from "skein/models";
import { fileSession, memorySession, sqliteSession } from "skein/sessions";
import { ScriptedModel } from "skein/testing";

const model = new ScriptedModel([]);
const agent = new Agent({ name: "A", model });

/** What a program may hand in that the compiler would not let through. */
const wrong = (value: unknown): never => value as never;
const make = (options: object) => () => new Agent(wrong({ name: "A", ...options }));

const answering = (): Agent => new Agent({ name: "A", model: new ScriptedModel(["Hello."]) });

class Kit {
  add(): number {
    return 1;
  }
}

test.each([
  ["a misspelled option", make({ instruction: "x" }), /agent A has no option "instruction".*"instructions"/],
  [
    "a misspelled setting",
    make({ settings: { temprature: 1 } }),
    /settings of the agent A.*"temprature".*"temperature"/,
  ],
  ["system", make({ system: "x" }), /agent A has no option "system"\. Did you mean "instructions"\?/],
  ["system of an edit", () => agent.with(wrong({ system: "x" })), /Did you mean "instructions"\?/],
  ["a prompt as an option", make({ prompt: "x" }), /Did you mean "instructions"\?/],
  ["no name", () => new Agent(wrong({})), /An agent needs a name/],
  ["a model that is none", make({ model: {} }), /model of the agent A is not a Model.*openai\(/],
  ["one agent as handoffs", make({ handoffs: agent }), /handoffs of the agent A must be a list/],
  ["an unknown tool choice", make({ toolChoice: "any" }), /"auto", "required", "none"/],
  ["tools that are null", make({ tools: null }), /tools of the agent A must be a list/],
  ["an undefined tool", make({ tools: [undefined] }), /tools\[0\] of the agent A is undefined.*circle/],
  ["a list within the tools", make({ tools: [[]] }), /is a list: spread it/],
  ["an instance as a tool", make({ tools: [new Kit()] }), /is an instance of Kit.*toolkit\(new Kit\(\)\)/],
  [
    "a tool of the AI SDK",
    make({ tools: [{ description: "x", inputSchema: {}, execute: () => 1 }] }),
    /is a tool of the AI SDK: write tool\(\{ name, input: inputSchema, execute \}\)/,
  ],
  ["an agent as a tool", make({ tools: [agent] }), /is an agent.*handoffs.*asTool\(\)/],
  ["a list as a toolkit", () => toolkit([() => 1]), /takes an instance.*tools: \[getWeather\]/],
  [
    "an object without functions as a toolkit",
    () => toolkit({ constructor: Object }),
    /no public method. Write toolkit\(new Kit\(\)\)/,
  ],
  ["a class as a toolkit", () => toolkit(wrong(Kit)), /takes an instance.*new Kit\(\)/],
  [
    "a misspelled option of a tool",
    () => tool(function f() {}, wrong({ desciption: "x" })),
    /tool\(f.*"desciption".*"description"/,
  ],
  ["a definition without a name", () => tool(wrong({ input: {} })), /needs a name/],
  [
    "a schema of another type than object",
    () => tool({ name: "t", input: { type: "string" } }),
    /input of the tool t/,
  ],
  [
    "instructions that are a number",
    make({ instructions: 3 }),
    /instructions of the agent A must be a text or a function/,
  ],
  ["instructions that are an object", make({ instructions: { text: "x" } }), /must be a text or a function/],
  [
    "a model whose stream is an async function",
    make({ model: { provider: "p", modelId: "m", stream: async () => [] } }),
    /model\.stream of the agent A must return an async iterable\. Write async \*stream/,
  ],
  ["models outside a list", () => fallback(wrong(model), wrong(model)), /Write fallback\(\[a, b\]\)/],
  [
    "a file session without a path",
    () => fileSession(wrong(undefined)),
    /path of fileSession\(\) is missing/,
  ],
  [
    "a SQLite session without an id",
    () => sqliteSession("a.db", wrong(undefined)),
    /id of sqliteSession\(\) is missing.*"chats\.db", "/,
  ],
  [
    "a tool with a handler",
    () => tool(wrong({ name: "t", input: {}, handler: () => 1 })),
    /no option "handler"\. Did you mean "execute"\?/,
  ],
  ["a tool with parameters", () => tool(wrong({ name: "t", parameters: {} })), /Did you mean "input"\?/],
  ["a timeout of 0", () => tool(function f() {}, { timeout: 0 }), /timeout of .* must be .*, not 0/],
])("%s is an error that says what to write", (_, mistake, words) => {
  expect(mistake).toThrow(words);
  expect(mistake).toThrow(expect.objectContaining({ code: expect.stringMatching(/^invalid-/) }));
});

test.each([
  ["swapped arguments", () => run(wrong("hi"), wrong(agent)), /first argument must be an Agent, not "hi"/],
  [
    "a misspelled option",
    () => run(agent, "x", wrong({ maxturns: 2 })),
    /run\(\) has no option "maxturns".*"maxTurns"/,
  ],
  [
    "a negative maxTurns",
    () => run(agent, "x", { maxTurns: -1 }),
    /maxTurns must be a number of at least 0, not -1/,
  ],
  [
    "half a call",
    () => run(agent, "x", { maxToolCalls: 1.5 }),
    /maxToolCalls must be a whole number, or Infinity, not 1\.5/,
  ],
  ["a text as maxTurns", () => run(agent, "x", { maxTurns: wrong("3") }), /maxTurns must be .*, not "3"\./],
  ["a boolean as maxTurns", () => run(agent, "x", { maxTurns: wrong(true) }), /at least 0, not true\./],
  [
    "a text as maxTokens",
    () => run(agent, "x", { maxTokens: wrong("3") }),
    /maxTokens must be .*, not "3"\./,
  ],
  [
    "a text as concurrency",
    () => run(agent, "x", { concurrency: wrong("2") }),
    /concurrency must be .*, not "2"\./,
  ],
  [
    "a text as executeTools",
    () => run(agent, "x", { executeTools: wrong("no") }),
    /options\.executeTools must be true or false, not "no"\./,
  ],
  [
    "a number as onEvent",
    () => run(agent, "x", { onEvent: wrong(3) }),
    /options\.onEvent must be a function, not 3\./,
  ],
  [
    "a controller as the signal",
    () => run(agent, "x", { signal: wrong(new AbortController()) }),
    /options\.signal must be an AbortSignal, not an instance of AbortController\. Pass controller\.signal\./,
  ],
  [
    "a journal without its function",
    () => run(agent, "x", { journal: wrong({}) }),
    /options\.journal must be a journal with a function `step`, not an object\./,
  ],
  [
    "a path as the session",
    () => run(agent, "x", { session: wrong("a.jsonl") }),
    /options\.session must be a session, such as fileSession\("chat\.jsonl"\), not "a\.jsonl"\./,
  ],
  [
    "a session that was not created",
    () => run(agent, "x", { session: wrong(memorySession) }),
    /options\.session must be a session, .*, not a function\./,
  ],
  [
    "a misspelled middleware",
    () => run(agent, "x", { middleware: [wrong({ tools: () => 1 })] }),
    /unknown function "tools"\. Did you mean "tool"\?/,
  ],
  [
    "a state's JSON",
    async () => run(agent, JSON.stringify((await run(answering(), "Hi")).state)),
    /JSON text of a run state\. Pass JSON\.parse\(text\)\./,
  ],
  [
    "a state's JSON in lines, after a byte order mark",
    async () => run(agent, `\uFEFF${JSON.stringify((await run(answering(), "Hi")).state, null, 2)}`),
    /JSON text of a run state\. Pass JSON\.parse\(text\)\./,
  ],
  [
    "instructions that return a number",
    () => run(agent.with({ instructions: () => wrong(3) }), "x"),
    /instructions of the agent A failed: they must be a text, not 3\./,
  ],
  ["a request without messages", () => generate(model, wrong({})), /generate\(\) requires messages/],
  ["no request", () => generate(model, wrong(undefined)), /generate\(\) requires messages/],
  [
    "a function without a name",
    () => run(agent.with({ tools: [(n: number) => n] }), "x"),
    /The function `?\(n\) => n`? has no name. Name it/,
  ],
  ["no input", () => run(agent, wrong(undefined)), /The input must be .* not undefined/],
  [
    "a single message",
    () => run(agent, wrong({ role: "user", content: "x" })),
    /single message.*\[message\]/,
  ],
  [
    "a list of texts",
    () => run(agent, wrong(["hi"])),
    /messages\[0\] must be a message such as .*, not "hi"/,
  ],
  ["a message without content", () => run(agent, wrong([{ role: "user" }])), /messages\[0\] has no content/],
  [
    "an unknown role",
    () => run(agent, wrong([{ role: "developer", content: "x" }])),
    /messages\[0\] has an unknown role/,
  ],
  [
    "a history of Chat Completions",
    () => run(agent, wrong([{ role: "assistant", content: null, tool_calls: [] }])),
    /fromChatMessages/,
  ],
  [
    "steps for turns",
    () => run(agent, "x", wrong({ maxSteps: 3 })),
    /"maxSteps"\. Did you mean "maxTurns"\?/,
  ],
  ["stopWhen", () => run(agent, "x", wrong({ stopWhen: 3 })), /Did you mean "maxTurns"\?/],
  [
    "a signal by its AI SDK name",
    () => run(agent, "x", wrong({ abortSignal: AbortSignal.abort() })),
    /Did you mean "signal"\?/,
  ],
  ["a memory", () => run(agent, "x", wrong({ memory: {} })), /Did you mean "session"\?/],
  [
    "a prompt in an object",
    () => run(agent, wrong({ prompt: "x" })),
    /^The input is an object\. Pass the text itself: run\(agent, "Hello"\)\.$/,
  ],
  ["a state of another version", () => run(agent, wrong({ version: 9, messages: [] })), /version is 9/],
  [
    "an unknown agent in a state",
    () => run(agent, wrong({ version: 1, agent: "B", messages: [], pending: [] })),
    /"B", which is not one of A/,
  ],
  [
    "a misspelled setting",
    () => generate(model, { messages: "x", settings: wrong({ max_tokens: 1 }) }),
    /settings of generate\(\)/,
  ],
])("a run of %s is refused with what to write", async (_, mistake, words) => {
  await expect(mistake()).rejects.toThrow(words);
});

test("a misspelled option of stream() names stream()", () => {
  expect(() => stream(agent, "x", wrong({ onevent: () => 1 }))).toThrow(
    'stream() has no option "onevent". Did you mean "onEvent"?',
  );
});

test.each([
  [{ agents: {} }, "options.agents must be a list of agents, not an object"],
  [{ agents: [null] }, "options.agents[0] must be an agent, not null"],
  [{ agents: [agent, 5] }, "options.agents[1] must be an agent, not 5"],
  [{ results: {} }, "options.results must be a list of results, not an object"],
  [{ results: [null] }, 'options.results has a result for the call "undefined", which is not pending'],
])("%j is a typed error of run() and of stream()", async (options, words) => {
  const typed = expect.objectContaining({
    code: expect.stringMatching(/^invalid-/),
    message: expect.stringContaining(words),
  });
  expect(() => stream(agent, "x", wrong(options))).toThrow(typed);
  await expect(run(agent, "x", wrong(options))).rejects.toEqual(typed);
});

test("a text that only begins like a state is a message, and instructions may return nothing", async () => {
  for (const text of ['{"version":1}', '{"version":1, and more', '{"version":1,"agent":"A"}'])
    expect(await run(answering(), text)).toMatchObject({ text: "Hello." });
  const silent = answering().with({ instructions: () => wrong(undefined) });
  expect(await run(silent, "Hi")).toMatchObject({ text: "Hello." });
});

test("readers of events get a tool's exception with its stack; the model gets the message only", async () => {
  const thrown = new TypeError("x is not a function");
  const broken = tool({
    name: "broken",
    input: { type: "object" },
    execute: () => {
      throw thrown;
    },
  });
  const scripted = new ScriptedModel([{ toolCalls: [{ toolName: "broken" }] }, "done"]);
  const running = stream(new Agent({ name: "A", model: scripted, tools: [broken] }), "go");
  const ends: RunEvent[] = [];
  for await (const event of running) if (event.type === "tool-end") ends.push(event);
  expect(ends).toMatchObject([{ error: thrown }]);
  const { state } = await running.result;
  expect(JSON.stringify(state)).not.toContain("mistakes.test.ts");
});

test("an error that is logged shows neither the history nor the context", async () => {
  const failing = run(agent, "my password is hunter2", { context: { token: "s3cret" } });
  const error: unknown = await failing.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: "script-exhausted",
    state: { agent: "A", context: { token: "s3cret" } },
  });
  expect(inspect(error)).not.toMatch(/hunter2|s3cret/);
  expect(JSON.stringify(error)).not.toMatch(/hunter2|s3cret/);
});
