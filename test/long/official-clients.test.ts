/** The official clients of all protocols as judges: over one table, what each puts together is what `run` returns. */
import { type Agent, run, type RunOptions } from "skein";
import { mcpHandler } from "skein/mcp";
import { afterEach, describe, expect, test, vi } from "vitest";
import { a2a } from "../server/official-clients/a2a.ts";
import { agUi } from "../server/official-clients/ag-ui.ts";
import { chatCompletions } from "../server/official-clients/chat-completions.ts";
import type { OfficialClient, Question, Talk } from "../server/official-clients/client.ts";
import { mcp } from "../server/official-clients/mcp.ts";
import { responses } from "../server/official-clients/responses.ts";
import { answered, failing, interruptible } from "../server/official-clients/scenarios.ts";
import { useChat } from "../server/official-clients/use-chat.ts";
import { openServer } from "../server/open-server.ts";

const clients = [chatCompletions, responses, useChat, agUi, a2a("JSONRPC"), a2a("HTTP+JSON"), mcp];

afterEach(() => {
  vi.restoreAllMocks();
});

async function connect(client: OfficialClient, agent: Agent): Promise<Talk> {
  const { url } = await openServer(
    { desk: agent },
    {
      protocols: ["native", "chat-completions", "responses", "ui-messages", "ag-ui", "a2a"],
      mcp: await mcpHandler({ agents: [agent] }),
      onError: () => {},
    },
  );
  return client.connect(url);
}

/** What `run` makes of the same question. */
async function expectedText(agent: Agent, { text, image, verdict, output }: Question): Promise<string> {
  const options: RunOptions = output ? { output } : {};
  const url = `data:image/png;base64,${image}`;
  const content =
    image === undefined
      ? text
      : [
          { type: "text" as const, text },
          { type: "image" as const, url },
        ];
  const first = await run(agent, [{ role: "user", content }], options);
  const [waiting] = first.pending;
  if (!waiting?.approvalId || !verdict) return first.text;
  const approval = { approvalId: waiting.approvalId };
  const decision =
    typeof verdict === "object"
      ? { ...approval, decision: "approve" as const, arguments: { ...verdict.edited } }
      : { ...approval, decision: verdict };
  return (await run(agent, first.state, { approvals: [decision] })).text;
}

describe.each(clients)("$name", (client) => {
  const { lacks } = client;

  test.each(answered.filter(({ needs }) => needs === undefined || !lacks.includes(needs)))(
    "after $title, the client has the text that run() gives",
    async ({ agentOf, question }) => {
      const complaints = [vi.spyOn(console, "warn"), vi.spyOn(console, "error")];
      const expected = await expectedText(agentOf(), question);
      const talk = await connect(client, agentOf());
      expect(await talk.ask(question)).toBe(expected);
      expect(complaints.flatMap(({ mock }) => mock.calls)).toEqual([]);
    },
  );

  test("a provider that fails in the middle of its answer is an error, without the provider's words", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const talk = await connect(client, failing());
    const error: unknown = await talk.ask({ text: "Hello" }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).not.toContain("planted-words");
  });

  test("an answer that the client stops is stopped at its agent", async () => {
    const { agent, spoken, stopped } = interruptible();
    const talk = await connect(client, agent);
    await talk.askAndStop({ text: "Count" }, spoken);
    await expect(stopped).resolves.toBeUndefined();
  });
});

describe.each(clients.filter(({ lacks }) => !lacks.includes("resume")))("$name", (client) => {
  test("an answer whose connection was lost is there whole", async () => {
    const { agent, goOn } = interruptible();
    const talk = await connect(client, agent);
    expect(await talk.askAndLoseConnection?.({ text: "Count" }, goOn)).toBe("One, two, three.");
  });
});
