import { describe, expect, test } from "vitest";
import { Agent, run, type Message } from "skein";
import { sealed, streamed, type Answer } from "./answers.ts";
import { serve } from "./local-server.ts";
import { modelOver, protocols, type Protocol } from "./protocols.ts";
import { problemsOf } from "./rules.ts";
import { publicWords, talkTools, torn, tornWords } from "./talk.ts";

const tools = talkTools("look_up");

/** A conversation as a model has it: parallel calls with ids of every kind, broken arguments, reasoning in each answer. */
function conversation(name: string): readonly Answer[] {
  return [
    {
      id: `${name}1`,
      reasoning: `The thoughts of ${name}:\nfirst "look", then speak. 🦢`,
      text: `I look, says ${name}.`,
      calls: [
        { id: `functions.${name}:0`, name: "look_up", arguments: '{"bird":"heron"}' },
        { id: `functions.${name}:1`, name: "photo", arguments: "" },
        { id: `${name}_${"long".repeat(15)}`, name: "look_up", arguments: '{"bird": crane}' },
        { id: `functions ${name}/1`, name: "archive", arguments: "{}" },
      ],
    },
    {
      id: `${name}2`,
      reasoning: `More thoughts of ${name}.`,
      calls: [
        { id: `call_${name}`, name: "no such tool!", arguments: "{}" },
        { id: `call_${name}_2`, name: "nothing", arguments: "{}" },
      ],
    },
    { id: `${name}3`, reasoning: `The last thought of ${name}.`, text: `Done, says ${name}.` },
  ];
}

/** Has a conversation with the real adapter of a protocol, after `before`. */
async function converse(
  protocol: Protocol,
  name: string,
  before: readonly Message[] = [],
): Promise<readonly Message[]> {
  const answers = conversation(name);
  await using server = await serve((index) => streamed(protocol, answers[index] ?? { id: "none" }));
  const agent = new Agent({
    name,
    instructions: `You are ${name}.`,
    model: modelOver(protocol, server),
    tools,
  });
  const outcome = await run(agent, [...before, { role: "user", content: "Find out." }]);
  expect(outcome).toMatchObject({ status: "completed", turns: 3 });
  for (const { body } of server.received) expect(problemsOf(protocol, body)).toEqual([]);
  return JSON.parse(JSON.stringify(outcome.state.messages));
}

/** Sends a history to a protocol's adapter and gives back the body that its server received. */
async function replay(protocol: Protocol, history: readonly Message[]): Promise<string> {
  await using server = await serve(() => streamed(protocol, { id: "next", text: "Fine." }));
  const agent = new Agent({ name: "Next", model: modelOver(protocol, server), tools });
  const outcome = await run(agent, [...history, { role: "user", content: "And now?" }]);
  expect(outcome).toMatchObject({ status: "completed", text: "Fine." });
  const [received] = server.received;
  if (!received) throw new Error("nothing was sent");
  expect(problemsOf(protocol, received.body)).toEqual([]);
  return received.text;
}

/** How often each of `needles` is in `text`. */
function counts(text: string, needles: readonly string[]): Record<string, number> {
  return Object.fromEntries(needles.map((needle) => [needle, text.split(needle).length - 1]));
}

/** Expects all reasoning of a conversation, each once and to the byte, or none of it. */
function expectReasoning(body: string, protocol: Protocol, name: string, isOwn: boolean): void {
  const seals = conversation(name).flatMap((answer) => sealed(protocol, answer));
  expect(counts(body, seals)).toEqual(Object.fromEntries(seals.map((seal) => [seal, isOwn ? 1 : 0])));
  const hints = ["thoughts of ", "last thought of ", "encrypted/", "signed/", "redacted/"];
  const foreign = hints.filter((hint) => new RegExp(`${hint}[^"]*${name}|${name}\\d\\+${hint}`).test(body));
  expect(isOwn ? [] : foreign).toEqual([]);
}

const pairs = protocols.flatMap((from) => protocols.map((to) => [from, to] as const));

describe("a history made with one provider", () => {
  test.each(pairs)("%s, replays on %s", async (from, to) => {
    const body = await replay(to, await converse(from, "Ann"));
    for (const words of publicWords("Ann")) expect(body).toContain(words);
    expectReasoning(body, from, "Ann", from === to);
  });

  test.each(pairs)("%s, goes on with %s and comes back, as a team does", async (from, to) => {
    const history = await converse(to, "Ben", await converse(from, "Ann"));
    const body = await replay(from, history);
    for (const words of [...publicWords("Ann"), ...publicWords("Ben")]) expect(body).toContain(words);
    expectReasoning(body, from, "Ann", true);
    expectReasoning(body, to, "Ben", from === to);
  });
});

test.each(protocols)(
  "a history made by all three replays on %s, with its own reasoning alone",
  async (to) => {
    let history: readonly Message[] = [];
    for (const protocol of protocols) history = await converse(protocol, `From-${protocol}`, history);
    const body = await replay(to, history);
    for (const protocol of protocols) expectReasoning(body, protocol, `From-${protocol}`, protocol === to);
  },
);

test.each(protocols)("accepts unanswered calls and empty messages on %s", async (to) => {
  const body = await replay(to, torn);
  for (const words of tornWords) expect(body).toContain(words);
});

test.each(["chat", "responses"] as const)("a text that came in parts is one message on %s", async (to) => {
  const providerData = { provider: "anthropic", data: { citations: [{ cited_text: "V" }] } };
  const content = [
    { type: "text", text: "They fly in a V", providerData },
    { type: "text", text: " " },
    { type: "text", text: "to save strength." },
  ] as const;
  const body = await replay(to, [
    { role: "user", content: "Why?" },
    { role: "assistant", content, toolCalls: [] },
  ]);
  expect(body).toContain('{"role":"assistant","content":"They fly in a V to save strength."}');
});
