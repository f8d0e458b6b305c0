/** Runs to repeat, for the tests of replays. */
import { Agent, type Message, result, tool, type Tool, type ToolContext } from "skein";
import { FunctionModel } from "skein/testing";
import type { JsonObject } from "../../src/base/util/json.ts";
import type { RunDetail } from "../../src/studio/records.ts";
import type { StudioData } from "./data.ts";

type Turn = string | readonly (readonly [toolName: string, input?: JsonObject])[];

/** A model that does the same whenever the history is the same: its nth answer of a run, and what the results said. */
export function scripted(...turns: readonly Turn[]): FunctionModel {
  return new FunctionModel(({ messages }) => {
    const from = messages.findLastIndex(({ role }) => role === "user");
    const own = messages.slice(from).filter(({ role }) => role === "assistant").length;
    const turn = turns[own] ?? turns.at(-1) ?? "";
    if (typeof turn === "string") return `${turn} ${resultsIn(messages).join("|")}`;
    return {
      toolCalls: turn.map(([toolName, input = {}], index) => ({
        toolCallId: `c${own}_${index}`,
        toolName,
        arguments: input,
      })),
    };
  });
}

export function resultsIn(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) =>
    message.role === "tool"
      ? message.result.content.map((part) => ("text" in part ? part.text : part.type))
      : [],
  );
}

/** Tools that count how often they are executed. */
export class Counted {
  readonly counts: Record<string, number> = {};

  tool(
    name: string,
    execute: (input: { readonly n?: number }, context: ToolContext) => unknown,
    more: object = {},
  ): Tool {
    return tool({
      name,
      description: `Does ${name}.`,
      input: { type: "object", properties: { n: { type: "integer" } } },
      execute: (input: { readonly n?: number }, context) => {
        this.counts[name] = (this.counts[name] ?? 0) + 1;
        return execute(input, context);
      },
      ...more,
    });
  }
}

export interface Case {
  readonly what: string;
  readonly agent: (tools: Counted) => Agent;
  /** The tool that is executed in the second replay. */
  readonly tick: string;
  /** What the second replay executes. */
  readonly executed: Readonly<Record<string, number>>;
  readonly context?: object;
}

export const cases: readonly Case[] = [
  {
    what: "an answer without a call",
    agent: () => new Agent({ name: "A", model: scripted("Hello.") }),
    tick: "act",
    executed: {},
  },
  {
    what: "a call",
    agent: (tools) =>
      new Agent({
        name: "A",
        model: scripted([["act", { n: 1 }]], "Done."),
        tools: [tools.tool("act", ({ n }) => `Number ${n}.`)],
      }),
    tick: "act",
    executed: { act: 1 },
  },
  {
    what: "twenty calls side by side",
    agent: (tools) =>
      new Agent({
        name: "A",
        model: scripted(
          Array.from({ length: 20 }, (_, n) => [n % 2 === 0 ? "act" : "look", { n }] as const),
          "Done.",
        ),
        tools: [tools.tool("act", ({ n }) => n), tools.tool("look", ({ n }) => `saw ${n}`)],
      }),
    tick: "look",
    executed: { look: 10 },
  },
  {
    what: "wrong arguments, corrected",
    agent: (tools) =>
      new Agent({
        name: "A",
        model: scripted([["act", { n: "many" }]], [["act", { n: 2 }]], "Done."),
        tools: [tools.tool("act", ({ n }) => n)],
      }),
    tick: "act",
    executed: { act: 1 },
  },
  {
    what: "an unknown tool",
    agent: (tools) =>
      new Agent({
        name: "A",
        model: scripted([["acct"]], [["act"]], "Done."),
        tools: [tools.tool("act", () => "acted")],
      }),
    tick: "act",
    executed: { act: 1 },
  },
  {
    what: "a tool that fails",
    agent: (tools) =>
      new Agent({
        name: "A",
        model: scripted([["act"], ["look"]], "Sorry."),
        tools: [
          tools.tool("act", () => {
            throw new Error("It is broken.");
          }),
          tools.tool("look", () => "looked"),
        ],
      }),
    tick: "look",
    executed: { look: 1 },
  },
  {
    what: "a handoff to an agent that is listed",
    agent: (tools) => {
      const second = new Agent({
        name: "B",
        model: scripted([["act"]], [["act"]], "B is done."),
        tools: [tools.tool("act", () => "acted")],
      });
      return new Agent({ name: "A", model: scripted([["transfer_to_b"]]), handoffs: [second] });
    },
    tick: "act",
    executed: { act: 1 },
  },
  {
    what: "a handoff by the code of a tool",
    agent: (tools) => {
      const second = new Agent({ name: "B", model: scripted("never", "B is here.") });
      return new Agent({
        name: "A",
        model: scripted([["pass"]]),
        tools: [tools.tool("pass", () => second)],
        handoffs: () => [second],
      });
    },
    tick: "pass",
    executed: { pass: 1 },
  },
  {
    what: "a change of the context that instructions read",
    agent: (tools) =>
      new Agent({
        name: "A",
        instructions: ({ context }) => `The mood is ${JSON.stringify(context)}.`,
        model: new FunctionModel(({ messages, instructions = "" }) =>
          messages.length === 1 ? { toolCalls: [{ toolName: "cheer", arguments: {} }] } : instructions,
        ),
        tools: [tools.tool("cheer", () => result({ value: "ok", context: { mood: "good" } }))],
      }),
    context: { mood: "bad" },
    tick: "cheer",
    executed: { cheer: 1 },
  },
  {
    what: "an agent that is a tool",
    agent: (tools) => {
      const inner = new Agent({
        name: "Inner",
        model: scripted([["act"]], "Inner."),
        tools: [tools.tool("act", () => "acted within")],
      });
      return new Agent({
        name: "A",
        model: scripted([["ask", { input: "Look" }]], "Outer."),
        tools: [inner.asTool({ name: "ask", description: "Asks." })],
      });
    },
    tick: "ask",
    // The agent is run again, and its own calls are answered.
    executed: {},
  },
  {
    what: "a tool that calls another one",
    agent: (tools) =>
      new Agent({
        name: "A",
        model: scripted([["outer"]], "Done."),
        tools: [
          tools.tool("outer", async (_input, context) => ["outer", await context.call("act", { n: 3 })]),
          tools.tool("act", ({ n }) => `inner ${n}`),
        ],
      }),
    tick: "outer",
    executed: { outer: 1 },
  },
  {
    what: "the same call with another result each time, and an end by a tool",
    agent: (tools) => {
      let count = 0;
      return new Agent({
        name: "A",
        model: scripted([["act"]], [["act"]], [["act"]], [["stop"]], "Never."),
        tools: [
          tools.tool("act", () => `time ${++count}`),
          tools.tool("stop", () => "The end.", { final: true }),
        ],
      });
    },
    tick: "stop",
    executed: { stop: 1 },
  },
];

export function shapeOf({ status, steps }: RunDetail): object {
  return {
    status,
    answers: steps.flatMap((step) =>
      step.kind === "model" && step.parent === undefined ? [[step.agent, step.text]] : [],
    ),
    calls: steps.flatMap((step) =>
      step.kind === "tool" && step.parent === undefined
        ? [[step.agent, step.toolName, step.arguments, step.outcome, step.result]]
        : [],
    ),
  };
}

export async function replay(page: StudioData, runId: string, body: object = {}): Promise<RunDetail> {
  const { id } = await page.read<{ id: string }>(`/studio/replay/${encodeURIComponent(runId)}`, body);
  return page.ended(id);
}
