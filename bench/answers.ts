const made = new Map<string, readonly string[]>();

/** An answer of text, in that many pieces. */
export function textAnswer(pieces: number): readonly string[] {
  return remembered(`text ${pieces}`, () => {
    const deltas = Array.from({ length: pieces }, (_, index) => ({ content: ` word${index % 10}` }));
    return eventStream([{ role: "assistant", content: "" }, ...deltas], "stop");
  });
}

const shoutFragments = ['{"', "text", '":"', "hello", " there", " you", '"}'];

/** An answer that calls `shout`, its arguments in a few pieces, as models write them. */
export function callAnswer(turn: number): readonly string[] {
  return remembered(`call ${turn}`, () =>
    eventStream(callDeltas(`call_${turn}`, shoutFragments), "tool_calls"),
  );
}

/** An answer that says something in 64 pieces before it calls `shout`. */
export function spokenCallAnswer(turn: number): readonly string[] {
  return remembered(`spoken call ${turn}`, () => {
    const words = Array.from({ length: 64 }, (_, index) => ({ content: ` word${index % 10}` }));
    return eventStream([...words, ...callDeltas(`call_${turn}`, shoutFragments)], "tool_calls");
  });
}

/** An answer that hands over, from one agent to two and back. */
export function handoverAnswer(turn: number): readonly string[] {
  const name = turn % 2 === 0 ? "transfer_to_two" : "transfer_to_one";
  return remembered(`${name} ${turn}`, () =>
    eventStream(callDeltas(`call_${turn}`, ["{}"], name), "tool_calls"),
  );
}

/** An answer that calls `shout` with 40 characters of text in each of that many pieces. */
export function argumentAnswer(pieces: number): readonly string[] {
  return remembered(`argument ${pieces}`, () => {
    // No two that follow each other are the same, as in what models write.
    const number = (index: number): string => String(index % 1000).padStart(4);
    const fragments = Array.from(
      { length: pieces },
      (_, index) => `forty characters of text, and some ${number(index)} `,
    );
    return eventStream(callDeltas("call_0", ['{"text":"', ...fragments, '"}']), "tool_calls");
  });
}

function callDeltas(id: string, fragments: readonly string[], name = "shout"): object[] {
  const start = { index: 0, id, type: "function", function: { name, arguments: "" } };
  const pieces = fragments.map((fragment) => ({
    tool_calls: [{ index: 0, function: { arguments: fragment } }],
  }));
  return [{ role: "assistant", content: null, tool_calls: [start] }, ...pieces];
}

/** The events that carry the deltas, fields and all, as OpenAI sends them. */
function eventStream(deltas: readonly object[], finishReason: string): readonly string[] {
  const head = {
    id: "chatcmpl-CbenchAbCdEfGhIjKlMnOpQrStUv",
    object: "chat.completion.chunk",
    created: 1_764_000_000,
    model: "gpt-5.2-2025-12-11",
    service_tier: "default",
    system_fingerprint: "fp_0123456789",
  };
  const choice = (delta: object, finish_reason: string | null): object => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    usage: null,
  });
  const usage = { prompt_tokens: 100, completion_tokens: deltas.length, total_tokens: 100 + deltas.length };
  const chunks = [
    ...deltas.map((delta) => choice(delta, null)),
    choice({}, finishReason),
    { ...head, choices: [], usage },
  ];
  const events = [...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"];
  return events.map((data) => `data: ${data}\n\n`);
}

function remembered(name: string, make: () => readonly string[]): readonly string[] {
  const known = made.get(name) ?? make();
  made.set(name, known);
  return known;
}
