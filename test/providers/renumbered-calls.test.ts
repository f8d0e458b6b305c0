/** What a server leaves out, shifts or repeats of what tells its calls apart: each call has its own arguments, or is an error. */
import { expect, test } from "vitest";
import { Agent, run, tool } from "skein";
import { spread } from "../effort.ts";
import { chatEnd } from "./answers.ts";
import { modelOver } from "./protocols.ts";
import { allHabits, callsOf, chunksOf, type MeantCall, type PieceHabits } from "./renumbered-calls.ts";

interface Outcome {
  /** The names and the inputs of what was executed. */
  readonly executed: readonly string[];
  /** Whether the answer is an error, or one of its calls a failure that the model reads. */
  readonly isReported: boolean;
}

/** Plays an answer to an agent whose tools need no argument: a call that has lost its own would be executed, too. */
async function outcomeOf(calls: readonly MeantCall[], habits: PieceHabits): Promise<Outcome> {
  const executed: string[] = [];
  const tools = ["heron", "crane", "stork"].map((name) =>
    tool({
      name,
      input: { type: "object", properties: { order: { type: "number" } } },
      execute: (input) => void executed.push(name + JSON.stringify(input)),
    }),
  );
  const events = [...chunksOf(calls, habits), ...chatEnd("c", "tool_calls")];
  const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  const fetch = async (): Promise<Response> =>
    new Response(body, { headers: { "content-type": "text/event-stream" } });
  const model = modelOver("chat", { url: "https://api.acme.test", fetch });
  const agent = new Agent({ name: "A", model, tools, settings: { maxRetries: 0 } });
  try {
    const { messages } = await run(agent, "Go.", { maxTurns: 1 });
    const isReported = messages.some((message) => message.role === "tool" && message.result.isError);
    return { executed, isReported };
  } catch {
    return { executed, isReported: true };
  }
}

test("no call gets the arguments of another, loses its own or is executed twice", async () => {
  let whole = 0;
  let total = 0;
  const problems: string[] = [];
  for (const habits of spread(allHabits())) {
    const calls = callsOf(habits);
    const missing = calls.map((call) => call.name + call.arguments);
    const { executed, isReported } = await outcomeOf(calls, habits);
    total += 1;
    const others = executed.filter((each) => {
      const place = missing.indexOf(each);
      if (place >= 0) missing.splice(place, 1);
      return place < 0;
    });
    if (missing.length === 0) whole += 1;
    if (others.length > 0 || (missing.length > 0 && !isReported))
      problems.push(`${JSON.stringify(habits)}: ${executed.join(" ")}`);
  }
  expect(problems.slice(0, 20)).toEqual([]);
  // What is certain is executed.
  expect(whole / total).toBeGreaterThan(0.35);
}, 600_000);
