import { executeToolCalls, tool, type ToolCall, type ToolPolicy, type ToolResult } from "skein";
import { processorTime, medians, type Sample } from "./measure.ts";
import { shout, shoutDescription, shoutSchema } from "./shout.ts";
import type { Row } from "./table.ts";

const count = 1_000;
const calls: readonly ToolCall[] = Array.from({ length: count }, (_, index) => ({
  toolCallId: `call_${index}`,
  toolName: "shout",
  arguments: JSON.stringify({ text: `hello ${index}` }),
}));

/** What the policies of a tool cost a call, in batches of a thousand. */
export async function policyRows(): Promise<readonly Row[]> {
  const [cached, limited] = [shoutWith({ cache: { scope: "shared" } }), shoutWith({ concurrency: 8 })];
  const known = new Map<string, string>();
  const taken = await medians({
    cacheByHand: perCall(() => Promise.all(calls.map((call) => cachedByHand(known, call)))),
    cache: perCall(() => executeToolCalls(calls, [cached])),
    limitByHand: perCall(() => {
      const limit = limitByHand(8);
      return Promise.all(calls.map((call) => limit(() => answerByHand(call))));
    }),
    batch: perCall(() => executeToolCalls(calls, [shoutWith({})], { concurrency: 8 })),
    policy: perCall(() => executeToolCalls(calls, [limited], { concurrency: count })),
  });
  const overhead = { of: "difference", most: 10 } as const;
  return [
    {
      what: "policies: a call answered from the cache",
      unit: "us",
      floor: taken("cacheByHand"),
      skein: taken("cache"),
      limit: { of: "skein", most: 5 },
    },
    {
      what: `policies: a call of ${count}, 8 at once`,
      unit: "us",
      floor: taken("limitByHand"),
      skein: taken("batch"),
      limit: overhead,
    },
    {
      what: "  8 at once over all runs, the tool's own limit",
      unit: "us",
      floor: taken("limitByHand"),
      skein: taken("policy"),
      limit: overhead,
    },
  ];
}

function shoutWith(policy: ToolPolicy<{ text: string }, unknown>) {
  return tool<{ text: string }>({
    name: "shout",
    description: shoutDescription,
    input: shoutSchema,
    execute: ({ text }) => shout(text),
    ...policy,
  });
}

/** Microseconds a call. */
function perCall(work: () => Promise<unknown>): Sample {
  return async () => ((await processorTime(work, 50)) / count) * 1000;
}

async function answerByHand({ toolCallId, toolName, arguments: input }: ToolCall): Promise<ToolResult> {
  const content = [{ type: "text", text: await shout(JSON.parse(input).text) }] as const;
  return { toolCallId, toolName, content, isError: false, outcome: "success" };
}

/** As one writes it for one tool: the arguments as they were sent are the key. */
async function cachedByHand(known: Map<string, string>, call: ToolCall): Promise<ToolResult> {
  const { toolCallId, toolName, arguments: key } = call;
  const text = known.get(key);
  if (text !== undefined) {
    return { toolCallId, toolName, content: [{ type: "text", text }], isError: false, outcome: "success" };
  }
  known.set(key, await shout(JSON.parse(key).text));
  return cachedByHand(known, call);
}

/** Lets so many pieces of work go on at once. */
function limitByHand(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let [free, next] = [places, 0];
  return async (work) => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free--;
    try {
      return await work();
    } finally {
      const resolve = waiting[next++];
      if (resolve) resolve();
      else free++;
    }
  };
}
