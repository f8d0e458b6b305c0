import { HttpAgent, type Message } from "@ag-ui/client";
import { vi } from "vitest";
import type { OfficialClient, Question, Verdict } from "./client.ts";

function lastText(messages: readonly Message[]): string {
  const { content } = messages.findLast(({ role }) => role === "assistant") ?? { content: "" };
  return typeof content === "string" ? content : "";
}

function add(agent: HttpAgent, { text, image }: Question): void {
  const source = { type: "data" as const, value: image ?? "", mimeType: "image/png" };
  const parts = [
    { type: "text" as const, text },
    { type: "image" as const, source },
  ];
  agent.addMessage({
    id: crypto.randomUUID(),
    role: "user",
    content: image === undefined ? text : parts,
  });
}

function payloadOf(verdict: Verdict): Record<string, unknown> {
  if (typeof verdict === "object") return { approved: true, editedArgs: verdict.edited };
  return { approved: verdict === "approve" };
}

/** Runs the agent once; the client's `verifyEvents` is the judge of each event. */
async function run(agent: HttpAgent, parameters: Parameters<HttpAgent["runAgent"]>[0] = {}): Promise<void> {
  let failure: string | undefined;
  await agent.runAgent(parameters, {
    onRunErrorEvent: ({ event }) => void (failure = event.code ?? event.message),
  });
  if (failure !== undefined) throw new Error(failure);
}

/** `@ag-ui/client`. */
export const agUi: OfficialClient = {
  name: "@ag-ui/client (HttpAgent)",
  lacks: ["typed output"],
  connect(url) {
    const threadId = crypto.randomUUID();
    const open = (initialMessages: Message[] = []): HttpAgent =>
      new HttpAgent({ url: `${url}/ag-ui/desk`, threadId, initialMessages });
    /** A run, the first text of which has come. */
    const begin = async (
      agent: HttpAgent,
      question: Question,
    ): Promise<{ runId: string; ended: Promise<unknown> }> => {
      add(agent, question);
      const runId = crypto.randomUUID();
      const ended = Promise.allSettled([agent.runAgent({ runId })]);
      await vi.waitUntil(() => lastText(agent.messages) !== "", { timeout: 5_000 });
      return { runId, ended };
    };
    return {
      ask: async (question) => {
        const agent = open();
        add(agent, question);
        await run(agent);
        const [interrupt] = agent.pendingInterrupts;
        if (interrupt && question.verdict) {
          const resolved = { interruptId: interrupt.id, status: "resolved" as const };
          await run(agent, { resume: [{ ...resolved, payload: payloadOf(question.verdict) }] });
        }
        return lastText(agent.messages);
      },
      askAndLoseConnection: async (question, goOn) => {
        const agent = open();
        const { ended } = await begin(agent, question);
        agent.abortRun();
        await ended;
        goOn();
        // The message that was sent before, under its id: it is the same run.
        const again = open(agent.messages.filter(({ role }) => role === "user"));
        await run(again);
        return lastText(again.messages);
      },
      askAndStop: async (question) => {
        const { runId, ended } = await begin(open(), question);
        await fetch(`${url}/runs/${runId}/cancel`, { method: "POST" });
        await ended;
      },
    };
  },
};
