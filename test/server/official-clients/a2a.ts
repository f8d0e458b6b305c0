import { AgentCard, type Part, type StreamResponse, TaskState } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { partOf, requestOf } from "../a2a-request.ts";
import type { OfficialClient, Question, Verdict } from "./client.ts";

const bindings = { JSONRPC: JsonRpcTransportFactory, "HTTP+JSON": RestTransportFactory } as const;

function partsOf({ text, image }: Question): Part[] {
  const words = partOf({ $case: "text", value: text });
  if (image === undefined) return [words];
  return [words, partOf({ $case: "raw", value: Buffer.from(image, "base64") }, "image/png")];
}

/** What a client puts together of a task's updates. */
class Reader {
  id = "";
  text = "";
  state: TaskState | undefined;
  pending: readonly { readonly approvalId: string }[] = [];

  /** @returns Whether text has come. */
  read({ payload }: StreamResponse): boolean {
    if (payload?.$case === "task") {
      this.id = payload.value.id;
      for (const { artifactId, parts } of payload.value.artifacts) this.#put(artifactId, parts, false);
    }
    if (payload?.$case === "artifactUpdate") {
      const { artifact, append } = payload.value;
      this.#put(artifact?.artifactId, artifact?.parts ?? [], append);
    }
    const status =
      payload?.$case === "statusUpdate" || payload?.$case === "task" ? payload.value.status : undefined;
    if (status) this.state = status.state;
    const data = status?.message?.parts[1]?.content;
    if (data?.$case === "data") this.pending = data.value.pending;
    return this.text !== "";
  }

  #put(artifactId: string | undefined, parts: readonly Part[], append: boolean): void {
    if (artifactId !== "answer") return;
    const text = parts.map(({ content }) => (content?.$case === "text" ? content.value : "")).join("");
    this.text = append ? this.text + text : text;
  }
}

async function readAll(updates: AsyncIterable<StreamResponse>, reader = new Reader()): Promise<Reader> {
  for await (const update of updates) reader.read(update);
  if (reader.state === TaskState.TASK_STATE_FAILED) throw new Error("The task has failed.");
  return reader;
}

/** Reads as far as the first text. */
async function readText(updates: AsyncIterable<StreamResponse>): Promise<Reader> {
  const reader = new Reader();
  for await (const update of updates) if (reader.read(update)) break;
  return reader;
}

function decisionOf(approvalId: string, verdict: Verdict): object {
  if (typeof verdict === "object") return { approvalId, decision: "approve", arguments: verdict.edited };
  return { approvalId, decision: verdict };
}

async function open(url: string, binding: "JSONRPC" | "HTTP+JSON"): Promise<Client> {
  const card = AgentCard.fromJSON(await (await fetch(`${url}/.well-known/agent-card.json`)).json());
  const factory = new ClientFactory({
    transports: [new bindings[binding]()],
    preferredTransports: [binding],
  });
  return factory.createFromAgentCard(card);
}

/** `@a2a-js/sdk`, over one of its bindings. */
export function a2a(binding: "JSONRPC" | "HTTP+JSON"): OfficialClient {
  return {
    name: `@a2a-js/sdk (${binding})`,
    lacks: ["typed output"],
    async connect(url) {
      const client = await open(url, binding);
      const begin = (question: Question): AsyncIterable<StreamResponse> =>
        client.sendMessageStream(requestOf(partsOf(question)));
      return {
        ask: async (question) => {
          const { id, pending, text } = await readAll(begin(question));
          const [call] = pending;
          if (!call || !question.verdict) return text;
          const decisions = [decisionOf(call.approvalId, question.verdict)];
          const answer = requestOf([partOf({ $case: "data", value: { decisions } })], { taskId: id });
          return (await readAll(client.sendMessageStream(answer))).text;
        },
        askAndLoseConnection: async (question, goOn) => {
          const reader = await readText(begin(question));
          const rest = client.resubscribeTask({ id: reader.id, tenant: "" });
          const first = await rest.next();
          goOn();
          const again = new Reader();
          if (!first.done) again.read(first.value);
          return (await readAll(rest, again)).text;
        },
        askAndStop: async (question) => {
          const { id } = await readText(begin(question));
          await client.cancelTask({ id, tenant: "", metadata: undefined });
        },
      };
    },
  };
}
