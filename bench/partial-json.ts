import { generateStream, type Model, type ModelEvent } from "skein";
import { processorTime, medians } from "./measure.ts";
import type { Row } from "./table.ts";

const toolCallId = "call_1";
const toolName = "write";

/**
 * An argument that streams in by four characters, with its value so far looked at after every piece, beside the same
 * without a look at it. What a look costs grows with what came since the last one, not with the whole.
 */
export async function partialJsonRows(): Promise<readonly Row[]> {
  const [small, large] = [argument(200_000), argument(800_000)].map(modelOf);
  if (!small || !large) return [];
  const taken = await medians({
    small: () => processorTime(() => readValues(small), 4),
    smallFloor: () => processorTime(() => readPieces(small), 4),
    large: () => processorTime(() => readValues(large), 1),
    largeFloor: () => processorTime(() => readPieces(large), 1),
  });
  return [
    {
      what: "an argument of 200 KB in 50,000 pieces: the value so far after each",
      unit: "ms",
      floor: taken("smallFloor"),
      skein: taken("small"),
      limit: { of: "difference", most: 30 },
    },
    {
      what: "  800 KB in 200,000 pieces",
      unit: "ms",
      floor: taken("largeFloor"),
      skein: taken("large"),
      limit: { of: "difference", most: 120 },
    },
  ];
}

/** A file as a model writes one: lines of code in one long string, and some facts beside it. */
function argument(length: number): string {
  const line = 'const greeting = "hello";\n\tconsole.log(greeting);\n';
  const rows = Array.from({ length: length / 400 }, (_, row) => ({ row, done: row % 2 === 0 }));
  const content = line.repeat(Math.ceil((length * 0.85) / JSON.stringify(line).length));
  return JSON.stringify({ path: "src/greet.ts", content, rows }).padEnd(length);
}

function modelOf(text: string): Model {
  const pieces = Array.from({ length: Math.ceil(text.length / 4) }, (_, at) =>
    text.slice(at * 4, at * 4 + 4),
  );
  return {
    provider: "bench",
    modelId: "pieces",
    async *stream(): AsyncGenerator<ModelEvent> {
      for (const piece of pieces) yield { type: "tool-input-delta", toolCallId, toolName, text: piece };
      yield finish(text);
    },
  };
}

async function readPieces(model: Model): Promise<void> {
  for await (const _ of generateStream(model, "go"));
}

async function readValues(model: Model): Promise<void> {
  let value: unknown;
  for await (const event of generateStream(model, "go"))
    if (event.type === "tool-input-delta") value = event.partial;
  if (typeof value !== "object" || value === null || !("rows" in value))
    throw new Error("the value is not whole");
}

function finish(text: string): ModelEvent {
  const toolCall = { toolCallId, toolName, arguments: text };
  return {
    type: "finish",
    generation: {
      text: "",
      message: { role: "assistant", content: [{ type: "tool-call", toolCallId }], toolCalls: [toolCall] },
      toolCalls: [toolCall],
      finishReason: "tool-calls",
      rawFinishReason: undefined,
      usage: { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined },
      response: { id: undefined, modelId: "pieces", headers: {} },
      timing: { firstTokenMs: 0, totalMs: 0, tokensPerSecond: undefined },
      warnings: [],
    },
  };
}
