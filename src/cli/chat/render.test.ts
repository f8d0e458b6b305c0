import { expect, test } from "vitest";
import { Agent } from "../../agent/agent.ts";
import type { ToolResult } from "../../message/messages.ts";
import { run } from "../../run/run.ts";
import type { RunEvent, RunEventBody } from "../../run/types.ts";
import { guard } from "../../guards/index.ts";
import { ScriptedModel } from "../../testing/index.ts";
import { createRenderer } from "./render.ts";
import type { Screen } from "../text.ts";
import { widthOf } from "../width.ts";
import { signs, words } from "./voice.ts";

/** Goes back to the beginning of the line, and clears it. */
const erase = "\r\u001B[K";

/** What a renderer writes of these events, styles as `<style>text</>` where `styled`. */
function rendered(
  events: readonly RunEventBody[],
  { columns = 60, styled = false, isLive = false, voice = signs } = {},
): string {
  let text = "";
  const screen: Screen = {
    write: (piece) => void (text += piece),
    paint: (style, piece) => (styled ? `<${String(style)}>${piece}</>` : piece),
    columns,
    isStyled: styled,
    isLive,
  };
  const renderer = createRenderer(screen, voice);
  for (const [index, event] of events.entries()) renderer.event({ ...event, index } satisfies RunEvent);
  return text;
}

function said(agent: string, text: string): RunEventBody {
  return { type: "text-delta", agent, text };
}

function called(toolName: string, args: string, toolCallId = toolName): RunEventBody {
  return { type: "tool-start", agent: "A", toolCall: { toolCallId, toolName, arguments: args } };
}

function returned(toolName: string, text: string, more: Partial<ToolResult> = {}): RunEventBody {
  const content = [{ type: "text", text } as const];
  const result: ToolResult = {
    toolCallId: toolName,
    toolName,
    content,
    isError: false,
    outcome: "success",
    ...more,
  };
  return { type: "tool-end", agent: "A", result, durationMs: 1 };
}

test("text streams behind the name of the agent that speaks, and a new speaker begins a line", () => {
  const text = rendered([said("Triage", "One "), said("Triage", "moment."), said("Sales", "Hello!")]);
  expect(text).toBe("Triage: One moment.\nSales: Hello!");
});

test("empty lines that a model begins with are left out, those within its answer are kept", () => {
  expect(rendered([said("A", "\n\n"), said("A", "\nOne.\n"), said("A", "\nTwo.")])).toBe("A: One.\n\nTwo.");
});

test("white space at the end of an answer is not shown, within it nothing is lost", () => {
  const pieces = ["One", " ", "two", "\n", "\n", "three ", "\n\n"].map((piece) => said("A", piece));
  expect(rendered([...pieces, said("B", "four")])).toBe("A: One two\n\nthree\nB: four");
});

test("an agent keeps its colour, and the next one has another", () => {
  const text = rendered([said("A", "1"), said("B", "2"), said("A", "3")], { styled: true });
  expect(text).toBe("<cyan>A</>: 1\n<magenta>B</>: 2\n<cyan>A</>: 3");
});

test("reasoning is dimmed and told apart from the answer", () => {
  const events: RunEventBody[] = [{ type: "reasoning-delta", agent: "A", text: "hm" }, said("A", "Yes.")];
  expect(rendered(events, { styled: true })).toBe(
    "<cyan>A</><dim> (thinking)</>: <dim>hm</>\n<cyan>A</>: Yes.",
  );
});

test("a call shows its arguments as a program would write them, and its result", () => {
  const text = rendered([
    said("A", "Let me see."),
    called("getWeather", '{"city":"Paris","days":3}'),
    returned("getWeather", "18 degrees"),
  ]);
  expect(text).toBe('A: Let me see.\n  → getWeather(city: "Paris", days: 3)\n  ← 18 degrees\n');
});

test("arguments that are not a JSON object are shown as the model wrote them", () => {
  const text = rendered([called("a", "{not json"), called("b", ""), called("c", "[1]")]);
  expect(text).toBe("  → a({not json)\n  → b()\n  → c([1])\n");
});

test("results of calls that overlap say whose they are", () => {
  const halfway: RunEventBody = {
    type: "tool-progress",
    agent: "A",
    toolCallId: "a",
    toolName: "a",
    value: "half",
  };
  const overlapping = [
    called("a", "{}"),
    called("b", "{}"),
    halfway,
    returned("b", "two"),
    returned("a", "one"),
  ];
  expect(rendered([...overlapping, called("c", "{}"), returned("c", "three")])).toBe(
    "  → a()\n  → b()\n  … a: half\n  ← b: two\n  ← a: one\n  → c()\n  ← three\n",
  );
});

test("long and broken arguments and results fit on one line of the terminal", () => {
  const text = rendered(
    [called("a", JSON.stringify({ text: "x".repeat(5000) })), returned("a", "one\n\ntwo ".repeat(999))],
    {
      columns: 40,
    },
  );
  const lines = text.trimEnd().split("\n");
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
  expect(lines[1]).toMatch(/^ {2}← one two one .*…$/);
});

test("a failed call is marked without colours too", () => {
  expect(rendered([called("a", "{}"), returned("a", "boom", { isError: true, outcome: "error" })])).toContain(
    "  ✗ boom",
  );
});

test("images and files in a result are named", () => {
  const content = [
    { type: "image", url: "data:image/png;base64,AA==" },
    { type: "file", url: "https://example.com/a.pdf", filename: "a.pdf" },
  ] as const;
  expect(rendered([returned("a", "", { content })])).toBe("  ← [image] [file a.pdf]\n");
});

test("progress, handoffs and warnings have a line of their own", () => {
  const text = rendered([
    { type: "tool-progress", agent: "A", toolCallId: "1", toolName: "a", value: { done: 3 } },
    { type: "handoff", agent: "A", to: "B", toolCallId: "1" },
    { type: "warning", agent: "A", message: "onEvent threw" },
  ]);
  expect(text).toBe('  … {"done":3}\nA → B\n! onEvent threw\n');
});

test("a warning that every run gives is shown once", () => {
  const warning = { type: "warning", agent: "A", message: "add: it is odd" } as const;
  const other = { ...warning, message: "format: it is odd" };
  expect(rendered([warning, other, warning])).toBe("! add: it is odd\n! format: it is odd\n");
});

test.each([{}, { styled: true }, { isLive: true }, { voice: words }])(
  "nothing that a model or a tool writes can drive the terminal: %o",
  (how) => {
    const text = rendered(
      [
        said("A\u001B[31m", "red\u001B]0;title\u0007 text\r"),
        said("A\u001B[31m", "\u001B"),
        said("A\u001B[31m", "[2J `\u009B1m` [a\u001Bb](http://c\u0007) "),
        { type: "reasoning-delta", agent: "A", text: "\u001B[1A" },
        writing('{"b":"\u009B1m\u001B[2J'),
        called("a\u001B[2J", '{"b":"\u009B1m"}'),
        { type: "tool-progress", agent: "A", toolCallId: "1", toolName: "a", value: "\u001B[2J" },
        returned("a", "\u001B[2Jcleared"),
        { type: "warning", agent: "A", message: "\u001B[2J" },
      ],
      how,
    );
    expect(text.replaceAll(erase, "")).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(text).toContain("red]0;title text");
  },
);

test("ends the line at the end of a turn, for any next agent", () => {
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
  const message = { role: "assistant", content: [], toolCalls: [] } as const;
  const turnEnd: RunEventBody = {
    type: "turn-end",
    turn: 1,
    agent: "A",
    message,
    results: [],
    finishReason: "stop",
    usage,
  };
  expect(rendered([said("A", "One."), turnEnd, said("A", "Two.")])).toBe("A: One.\nA: Two.");
});

test("shows an answer that a tool collected at the end, and a streamed answer only once", async () => {
  const shown = async (supportsOutput: boolean): Promise<string> => {
    const answer = { city: "Paris" };
    const call = { toolName: "final_answer", arguments: answer };
    const turn = supportsOutput ? JSON.stringify(answer) : { text: "So:", toolCalls: [call] };
    const agent = new Agent({
      name: "A",
      model: new ScriptedModel([turn], { supportsOutput }),
      output: form,
    });
    const events: RunEventBody[] = [];
    await run(agent, "Where?", { onEvent: (event) => void events.push(event) });
    return rendered(events);
  };
  const form = { type: "object", properties: { city: { type: "string" } } };
  expect(await shown(true)).toBe('A: {"city":"Paris"}\n');
  expect(await shown(false)).toBe('A: So:\nA: {"city":"Paris"}\n');
});

function writing(text: string, toolCallId = "1"): RunEventBody {
  return { type: "tool-input-delta", agent: "A", toolCallId, toolName: "note", text };
}

test("arguments are shown as they are written, on a line that the call then takes", () => {
  const call: RunEventBody = {
    type: "tool-start",
    agent: "A",
    toolCall: { toolCallId: "1", toolName: "note", arguments: '{"text":"one"}' },
  };
  const events = [said("A", "So:"), writing('{"te'), writing('xt":"one"}'), call];
  expect(rendered(events, { isLive: true })).toBe(
    `A: So:\n  → note({"te${erase}  → note({"text":"one"}${erase}  → note(text: "one")\n`,
  );
  expect(rendered(events)).toBe('A: So:\n  → note(text: "one")\n');
});

test("of long arguments the end is shown, within the line, free of control characters", () => {
  const text = rendered([writing(`{"text":"${"東京".repeat(500)}`), writing("\u001B[2J\nthe end")], {
    isLive: true,
    columns: 30,
  });
  const line = text.split(erase).at(-1) ?? "";
  expect(line).toMatch(/^ {2}→ note\(…[東京]+\[2J the end$/);
  expect(widthOf(line)).toBeLessThan(30);
});

test("where arguments of several calls are written at once, those of the latest piece are shown", () => {
  const text = rendered([writing("a", "1"), writing("b", "2"), writing("c", "1")], { isLive: true });
  expect(text.split(erase)).toEqual(["  → note(a", "  → note(b", "  → note(c"]);
});

test("where there are styles, the answer is laid out, and what is held back comes at the end", () => {
  const text = rendered([said("A", "# Title\n**bo"), said("A", "ld** and **open"), said("B", "- one")], {
    styled: true,
  });
  expect(text).toBe("<cyan>A</>: <bold,underline>Title</>\n<bold>bold</> and **open\n<magenta>B</>: • one");
});

test("in words, nothing has to be seen to be understood", () => {
  const events: RunEventBody[] = [
    { type: "reasoning-delta", agent: "A", text: "hm" },
    said("A", "**Yes**:\n```\ncode\n```"),
    called("a", '{"b":1}'),
    { type: "tool-progress", agent: "A", toolCallId: "a", toolName: "a", value: "half" },
    returned("a", "boom", { isError: true, outcome: "error" }),
    { type: "handoff", agent: "A", to: "B", toolCallId: "1" },
    { type: "warning", agent: "A", message: "careful" },
  ];
  expect(rendered(events, { voice: words })).toBe(
    "A, thinking: hm\nA: Yes:\nCode:\n  code\nEnd of code.\nCalling a(b: 1)\nProgress: half\nFailed: boom\n" +
      "A hands over to B.\nWarning: careful\n",
  );
});

test.each([
  ["length", "MAX_TOKENS", "it reached the longest the model may write"],
  [
    "error",
    "MALFORMED_FUNCTION_CALL",
    'an error of the model\'s (MALFORMED_FUNCTION_CALL); say "go on" to try again',
  ],
  [
    "content-filter",
    "PROHIBITED_CONTENT",
    "content filter (PROHIBITED_CONTENT); /undo takes your message back",
  ],
  ["content-filter", undefined, "content filter; /undo takes your message back"],
] as const)("shows that an answer ended with %s (%s)", async (finishReason, rawFinishReason, note) => {
  const model = new ScriptedModel([{ text: "Half", finishReason }]);
  const outcome = await run(new Agent({ name: "A", model }), "Hello");
  if (outcome.status === "paused" || outcome.status === "blocked")
    throw new Error(`The run was ${outcome.status}.`);
  const result = { ...outcome, rawFinishReason };
  expect(result.status).toBe("incomplete");
  const text = rendered([{ type: "run-end", agent: "A", status: result.status, result }], { columns: 120 });
  expect(text).toContain(note);
});

test("shows what a guard has for the user, and why it stopped the run", async () => {
  const middleware = [
    guard({ input: () => "it is bad" }, { name: "manners", message: "Let us stay polite." }),
  ];
  const agent = new Agent({ name: "A", model: new ScriptedModel([]), middleware });
  const events: RunEventBody[] = [];
  await run(agent, "Hello", { onEvent: (event) => events.push(event) });
  const text = rendered(events, { columns: 120 });
  expect(text).toContain("A: Let us stay polite.");
  expect(text).toContain("blocked by the guard manners: it is bad");
});

test("of an agent within, calls and results are indented, once for each level, and its text is left out", () => {
  const within = (body: RunEventBody): RunEventBody => {
    if (body.type === "run-end") throw new Error("an end has a result");
    return { type: "agent-event", agent: "Boss", parentToolCallId: "1", event: { ...body, index: 0 } };
  };
  const text = rendered([
    called("clerk", "{}"),
    within(said("Clerk", "Hm.")),
    within(called("pay", '{"amount":5}')),
    within(within(called("look", "{}"))),
    within(returned("pay", "Paid.")),
    within(returned("pay", "No money.", { isError: true, outcome: "error" })),
    returned("clerk", "All paid."),
  ]);
  expect(text).toBe(
    [
      "  → clerk()",
      "    → A: pay(amount: 5)",
      "      → A: look()",
      "    ← pay: Paid.",
      "    ✗ pay: No money.",
      "  ← All paid.",
      "",
    ].join("\n"),
  );
});

test("a call that the provider executes has one line once its input is there, and another if it fails", () => {
  const call = { tool: "webSearch", name: "web_search", id: "s1", results: [] } as const;
  const events: RunEventBody[] = [
    { type: "hosted-call", agent: "A", call: { ...call, status: "running", input: { queries: [] } } },
    { type: "hosted-call", agent: "A", call: { ...call, status: "running", input: { queries: ["herons"] } } },
    {
      type: "hosted-call",
      agent: "A",
      call: { ...call, status: "failed", error: "max_uses_exceeded", input: { queries: ["herons"] } },
    },
  ];
  expect(rendered(events).trimEnd().split("\n")).toEqual([
    expect.stringContaining("web_search("),
    expect.stringContaining("web_search: max_uses_exceeded"),
  ]);
});
