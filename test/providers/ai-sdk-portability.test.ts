/** A history made with any provider, native or of the AI SDK, replays on every other. */
import { describe, expect, test } from "vitest";
import { Agent, run, type Message } from "skein";
import { piecesOf, sealsOf } from "./ai-sdk-answers.ts";
import { wireProblems } from "./ai-sdk-rules.ts";
import type { Answer } from "./answers.ts";
import { elders, lineup, type Contender } from "./lineup.ts";
import { serve } from "./local-server.ts";
import { publicWords, talkTools, torn, tornWords } from "./talk.ts";

const all = [...lineup, ...elders];
const tools = talkTools("look.up");

/** A conversation as a model has it: parallel calls with ids of every kind, broken arguments, reasoning in each answer. */
function conversation(name: string): readonly Answer[] {
  return [
    {
      id: `${name}1`,
      reasoning: `The thoughts of ${name}:\nfirst "look", then speak. 🦢`,
      text: `I look, says ${name}.`,
      calls: [
        { id: `functions.${name}:0`, name: "look_up_1", arguments: '{"bird":"heron"}' },
        { id: `functions.${name}:1`, name: "photo", arguments: "{}" },
        { id: `${name}_${"long".repeat(15)}`, name: "nothing", arguments: "{}" },
        { id: `functions ${name}/1`, name: "archive", arguments: "{}" },
        { id: `call_${name}`, name: "no such tool!", arguments: "{" },
      ],
    },
    { id: `${name}2`, reasoning: `The last thought of ${name}.`, text: `Done, says ${name}.` },
  ];
}

function agentOf({ model, settings }: Contender, url: string, name: string): Agent {
  return new Agent({
    name,
    instructions: `You are ${name}.`,
    model: model(url),
    tools,
    ...(settings && { settings }),
  });
}

/** Has a conversation with a provider's real adapter, after `before`. */
async function converse(
  contender: Contender,
  name: string,
  before: readonly Message[] = [],
): Promise<readonly Message[]> {
  const answers = conversation(name);
  await using server = await serve((index, { text }) => {
    const answer = answers[index] ?? { id: "none" };
    // The model calls the tool by the name that it was given.
    const wireName = /"name":"(look_up_\w+)"/.exec(text)?.[1] ?? "";
    const calls = answer.calls?.map((call) =>
      call.name === "look_up_1" ? { ...call, name: wireName } : call,
    );
    return { pieces: piecesOf(contender.wire, { ...answer, ...(calls && { calls }) }) };
  });
  const outcome = await run(agentOf(contender, server.url, name), [
    ...before,
    { role: "user", content: "Find out." },
  ]);
  expect(outcome).toMatchObject({ status: "completed", turns: 2, text: `Done, says ${name}.` });
  for (const { body } of server.received) expect(wireProblems(contender.wire, body)).toEqual([]);
  return JSON.parse(JSON.stringify(outcome.state.messages));
}

/** Sends a history to a provider's adapter and gives back the body that its server received. */
async function replay(contender: Contender, history: readonly Message[]): Promise<string> {
  await using server = await serve(() => ({
    pieces: piecesOf(contender.wire, { id: "next", text: "Fine." }),
  }));
  const outcome = await run(agentOf(contender, server.url, "Next"), [
    ...history,
    { role: "user", content: "And now?" },
  ]);
  expect(outcome).toMatchObject({ status: "completed", text: "Fine." });
  const [received] = server.received;
  if (!received) throw new Error("nothing was sent");
  expect(wireProblems(contender.wire, received.body)).toEqual([]);
  return received.text;
}

const histories = new Map<string, Promise<readonly Message[]>>();

function historyOf(contender: Contender): Promise<readonly Message[]> {
  const known = histories.get(contender.name) ?? converse(contender, "Ann");
  histories.set(contender.name, known);
  return known;
}

/** Expects all reasoning of a conversation, each once and to the byte, or none of it. */
function expectReasoning(body: string, { wire }: Contender, name: string, isOwn: boolean): void {
  const seals = conversation(name).flatMap((answer) => sealsOf(wire, answer));
  expect(seals.map((seal) => body.split(seal).length - 1)).toEqual(seals.map(() => (isOwn ? 1 : 0)));
  expect(!isOwn && new RegExp(`houghts? of ${name}`).test(body)).toBe(false);
}

describe.each(all)("a history made with $name", (from) => {
  test.each(all)("replays on $name", async (to) => {
    const body = await replay(to, await historyOf(from));
    for (const words of publicWords("Ann")) expect(body).toContain(words);
    expectReasoning(body, from, "Ann", isSameProvider(from, to));
  });
});

/** Whether reasoning goes from one to the other: a newer major of a package reads what an older one wrote. */
function isSameProvider(from: Contender, to: Contender): boolean {
  const [source, target] = [from, to].map(({ model }) => model("http://127.0.0.1:1").provider);
  return source === target && from.wire === to.wire;
}

test.each(lineup.filter(({ name }) => name.includes(" ")))(
  "goes on with $name after all others, and comes back",
  async (to) => {
    let history: readonly Message[] = [];
    for (const [index, contender] of lineup.entries())
      history = await converse(contender, `N${index}x`, history);
    const body = await replay(to, history);
    for (const [index, contender] of lineup.entries()) {
      for (const words of publicWords(`N${index}x`)) expect(body).toContain(words);
      expectReasoning(body, contender, `N${index}x`, isSameProvider(contender, to));
    }
  },
);

test.each(all)("accepts unanswered calls and empty messages on $name", async (to) => {
  const body = await replay(to, torn);
  for (const words of tornWords) expect(body).toContain(words);
});
