import { expect, test } from "vitest";
import { Agent, run, type Message } from "skein";
import { streamed } from "../providers/answers.ts";
import { serve } from "../providers/local-server.ts";
import { modelOver, protocols } from "../providers/protocols.ts";
import { problemsOf } from "../providers/rules.ts";
import { noting, resultOf, runOver } from "./kit.ts";

/** Ids that one provider accepts and another does not, and that are one where they are only cleaned. */
const ids = [
  "functions.look:0",
  "functions look/0",
  "functions_look_0",
  "x".repeat(70),
  `${"x".repeat(70)}y`,
];
const calls = ids.map((id, n) => ({ id, name: "look", arguments: `{"n":${n}}` }));
const pairs = protocols.flatMap((from) => protocols.map((to) => [from, to] as const));

test.each(pairs)(
  "a history made with %s is replayed on %s, each result beside its own call",
  async (from, to) => {
    const replies = [
      { id: "a", reasoning: `Secret of ${from}.`, calls },
      { id: "b", text: "Seen." },
    ];
    const told = await runOver(
      from,
      replies.map((answer) => streamed(from, answer)),
      [noting([], "look")],
    );
    const history = resultOf(told.outcome).state.messages;
    await using server = await serve(() => streamed(to, { id: "next", text: "Fine." }));
    const input: readonly Message[] = [...history, { role: "user", content: "And now?" }];
    expect((await run(new Agent({ name: "A", model: modelOver(to, server) }), input)).text).toBe("Fine.");
    const [received] = server.received;
    expect(problemsOf(to, received?.body ?? {})).toEqual([]);
    expect(pairsIn(received?.body)).toEqual(ids.map((_, n) => [String(n), String(n)]));
    expect(received?.text.includes(`Secret of ${from}.`)).toBe(from === to);
  },
);

test.each(protocols)("nor is it shown to another provider of the same protocol: %s", async (protocol) => {
  const replies = [{ id: "a", reasoning: "A secret.", text: "Seen." }].map((answer) =>
    streamed(protocol, answer),
  );
  const { outcome } = await runOver(protocol, replies);
  await using server = await serve(() => streamed(protocol, { id: "next", text: "Fine." }));
  const model = modelOver(protocol, { url: server.url, provider: "another" });
  const input: readonly Message[] = [
    ...resultOf(outcome).state.messages,
    { role: "user", content: "And now?" },
  ];
  expect((await run(new Agent({ name: "A", model }), input)).text).toBe("Fine.");
  const [received] = server.received;
  expect(problemsOf(protocol, received?.body ?? {})).toEqual([]);
  expect(received?.text).toContain("Seen.");
  for (const seal of ["A secret.", "/reasoning==", "/thinking=="]) expect(received?.text).not.toContain(seal);
});

/** Which call of a request got which result: the numbers in the arguments and in the results, by the ids on the wire. */
function pairsIn(body: unknown): [called: string | undefined, answered: string | undefined][] {
  const calls = new Map<unknown, string>();
  const results = new Map<unknown, string>();
  JSON.parse(JSON.stringify(body), (_, value) => {
    const { id, call_id, tool_call_id, tool_use_id, name, function: called, response } = Object(value);
    const text = JSON.stringify(value) ?? "";
    const n = /look (\d) is done/.exec(text)?.[1];
    if (n !== undefined) results.set(tool_call_id ?? tool_use_id ?? call_id ?? (response && id), n);
    else if (name === "look" || called?.name === "look")
      calls.set(call_id ?? id, /n\W*:(\d)/.exec(text)?.[1] ?? "none");
    return value;
  });
  results.delete(undefined);
  return [...calls].filter(([id]) => id !== undefined).map(([id, n]) => [n, results.get(id)]);
}
