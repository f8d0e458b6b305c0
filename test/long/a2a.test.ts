/** Random runs as tasks, with the official client as the judge: what it puts together of a stream is the task that the server has. */
import {
  AgentCard,
  type Part,
  type SendMessageRequest,
  type StreamResponse,
  TaskState,
  type Task,
} from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import * as fc from "fast-check";
import { serve } from "skein/server";
import { expect, test } from "vitest";
import { shareOf } from "../effort.ts";
import { partOf, requestOf } from "../server/a2a-request.ts";
import { hostOf, type RandomRun, randomRuns, secret } from "../../src/protocols/kit/test-random-runs.ts";

const { SEED: seed = "1" } = process.env;

const bindings = { JSONRPC: JsonRpcTransportFactory, "HTTP+JSON": RestTransportFactory } as const;

/** How long a run may go on over its pauses. */
const mostRounds = 4;

/** Nothing waits in them for ever, and nothing more comes of them for now. */
const endings: readonly (TaskState | undefined)[] = [
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_INPUT_REQUIRED,
];

function message(content: Part["content"], taskId = ""): SendMessageRequest {
  return requestOf([partOf(content)], { taskId });
}

/** What the calls wait for that a task names. */
function answersTo({ status }: Task, decision: "approve" | "deny"): Part["content"] {
  const data = status?.message?.parts[1]?.content;
  const pending: readonly { readonly approvalId?: string; readonly toolCallId: string }[] =
    data?.$case === "data" ? data.value.pending : [];
  const decisions = pending.flatMap(({ approvalId }) =>
    approvalId === undefined ? [] : [{ approvalId, decision }],
  );
  const results = pending.flatMap(({ approvalId, toolCallId }) =>
    approvalId === undefined ? [{ toolCallId, content: "Fine." }] : [],
  );
  return { $case: "data", value: { decisions, results } };
}

/** The texts and values of the artifacts as a client puts them together, by their ids. */
function artifactsIn(updates: readonly StreamResponse[]): Record<string, unknown> {
  const artifacts: Record<string, unknown> = {};
  for (const { payload } of updates) {
    if (payload?.$case === "task") Object.assign(artifacts, artifactsOf(payload.value));
    if (payload?.$case !== "artifactUpdate") continue;
    const { artifact, append } = payload.value;
    const { artifactId = "", parts = [] } = artifact ?? {};
    const [content] = parts.map((part) => part.content?.value);
    artifacts[artifactId] = append ? `${String(artifacts[artifactId])}${content}` : content;
  }
  // An answer that came to nothing is replaced by an empty one: an artifact cannot be taken back.
  if (artifacts["answer"] === "") delete artifacts["answer"];
  return artifacts;
}

function artifactsOf({ artifacts }: Task): Record<string, unknown> {
  return Object.fromEntries(artifacts.map(({ artifactId, parts }) => [artifactId, parts[0]?.content?.value]));
}

async function updatesOf(client: Client, request: SendMessageRequest): Promise<readonly StreamResponse[]> {
  return Array.fromAsync(client.sendMessageStream(request));
}

/** A task goes on at most once at a time, begins with itself, and ends with its status. */
function expectOrder(updates: readonly StreamResponse[]): Task {
  const [first] = updates;
  if (first?.payload?.$case !== "task") return expect.fail("A stream begins with its task.");
  const cases = updates.slice(1).map(({ payload }) => payload?.$case);
  const last = updates.at(-1)?.payload;
  const status = last?.$case === "statusUpdate" || last?.$case === "task" ? last.value.status : undefined;
  expect(endings).toContain(status?.state);
  // It may have ended before its first update.
  expect(cases).toEqual(
    cases.map((_, index) => (index === cases.length - 1 ? "statusUpdate" : "artifactUpdate")),
  );
  return first.payload.value;
}

async function expectTask(binding: keyof typeof bindings, random: RandomRun): Promise<void> {
  const server = serve(
    { host: hostOf(random) },
    {
      protocols: ["a2a"],
      runOptions: { maxTurns: random.maxTurns },
      authorize: () => ({ user: "anna", context: { key: `${secret}-of-the-context` } }),
      onError: () => {},
    },
  );
  let sent = "";
  const fetchImpl: typeof fetch = async (input, init) => {
    const response = await server.fetch(new Request(input, init));
    const text = await response.text();
    sent += text;
    return new Response(text, response);
  };
  const card = await (await server.fetch(new Request("http://localhost/.well-known/agent-card.json"))).json();
  const transports = [new bindings[binding]({ fetchImpl })];
  const factory = new ClientFactory({ transports, preferredTransports: [binding] });
  const client = await factory.createFromAgentCard(AgentCard.fromJSON(card));
  try {
    let request = message({ $case: "text", value: "Hello" });
    for (let round = 0; round < mostRounds; round++) {
      const updates = await updatesOf(client, request);
      const { id } = expectOrder(updates);
      const task = await client.getTask({ id, tenant: "" });
      expect(endings).toContain(task.status?.state);
      expect(artifactsIn(updates)).toEqual(artifactsOf(task));
      if (task.status?.state !== TaskState.TASK_STATE_INPUT_REQUIRED) break;
      request = message(answersTo(task, round % 2 === 0 ? "approve" : "deny"), id);
    }
  } finally {
    await server.close({ drain: 0 });
  }
  expect(sent).not.toContain(secret);
}
const numRuns = shareOf(5_000);

test.each(["JSONRPC", "HTTP+JSON"] as const)(
  `the official client has the task of the server after any of ${numRuns} random runs, over %s`,
  { timeout: 1_800_000 },
  async (binding) => {
    const property = fc.asyncProperty(randomRuns, (random) => expectTask(binding, random));
    await expect(fc.assert(property, { numRuns, seed: Number(seed) })).resolves.toBeUndefined();
  },
);
