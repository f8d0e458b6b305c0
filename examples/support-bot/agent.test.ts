import { type Agent, type RunEvent, type RunState, run } from "skein";
import { ScriptedModel } from "skein/testing";
import { beforeEach, expect, test } from "vitest";
import { stopAtEveryTool } from "../test-stops.ts";
import { type Customer, supportBot } from "./agent.ts";
import { readArticles } from "./articles.ts";
import { Desk } from "./desk.ts";
import { HelpCentre } from "./help-centre.ts";

const help = new HelpCentre(readArticles());
const context = { email: "ada@example.com" };

let desk: Desk;
let agent: Agent<Customer>;
beforeEach(() => {
  desk = new Desk();
  agent = supportBot(help, desk);
});

const call = (toolName: string, args: Readonly<Record<string, string>> = {}) => ({
  toolCalls: [{ toolName, arguments: args }],
});
const handOver = call("transfer_to_help_centre");
const ticket = call("submitTicket", { subject: "Leak", description: "The valve drips at the thread." });
const email = call("sendEmail", { subject: "Your leak", body: "We look into it." });

const resultsOf = ({ messages }: Pick<RunState, "messages">): string[] =>
  messages.flatMap((message) =>
    message.role === "tool"
      ? [message.result.content.map((part) => (part.type === "text" ? part.text : "")).join("")]
      : [],
  );

test("a question is handed over, and answered from the article that fits, with others to read", async () => {
  const model = new ScriptedModel([
    handOver,
    call("searchHelp", { question: "How long is the warranty on a valve?" }),
    call("readArticle", { id: "spare-parts" }),
    "Three years.",
  ]);
  const result = await run(agent, "Warranty?", { model, context });
  model.assertComplete();
  expect(model.requests[0]?.instructions).toContain("writes from ada@example.com");
  expect(result.agent.name).toBe("Help Centre");
  const [, found, read] = resultsOf(result);
  expect(found).toMatch(
    /^Warranty \[warranty\]\nHubs, probes and sensors have a warranty of two years, valves one of three/,
  );
  expect(found).toMatch(/See also:\n- [a-z-]+: .+ \(.+\)\n- [a-z-]+: .+ \(.+\)\n- [a-z-]+: .+ \(.+\)$/);
  expect(read).toMatch(/^Spare parts\nThe shop has spare parts/);
});

test("what is not to be found is said so", async () => {
  const model = new ScriptedModel([
    handOver,
    call("searchHelp", { question: "xylophone" }),
    call("readArticle", { id: "xylophones" }),
    "I do not know.",
  ]);
  expect(resultsOf(await run(agent, "Xylophones?", { model })).slice(1)).toEqual([
    "No article has any of these words. Ask the customer, or offer to submit a ticket.",
    "readArticle failed: there is no article xylophones: search for it",
  ]);
});

test("a ticket belongs to the customer of the context, and to nobody else", async () => {
  const model = new ScriptedModel([handOver, ticket, call("listTickets"), "Ticket 1."]);
  const result = await run(agent, "It drips", { model, context });
  const mine = [{ id: 1, subject: "Leak", description: "The valve drips at the thread.", status: "open" }];
  expect(resultsOf(result)[1]).toBe("Ticket 1 is open. The answer goes to ada@example.com.");
  expect(desk.tickets("ada@example.com")).toEqual(mine);
  expect(JSON.parse(resultsOf(result)[2] ?? "")).toEqual(mine);
  const others = await run(agent, "My tickets?", {
    model: new ScriptedModel([handOver, call("listTickets"), "None."]),
  });
  expect(resultsOf(others)[1]).toBe("[]");
});

const pausedAtEmail = async () => {
  const paused = await run(agent, "Write to me", { model: new ScriptedModel([handOver, email]), context });
  expect(paused.status).toBe("paused");
  expect(desk.outbox()).toEqual([]);
  return { stored: JSON.stringify(paused.state), approvalId: paused.pending[0]?.approvalId ?? "" };
};

test("an email is written once a person approves, also if the decision arrives twice", async () => {
  const { stored, approvalId } = await pausedAtEmail();
  for (const _ of [1, 2]) {
    const model = new ScriptedModel(["Done."]);
    const done = await run(agent, JSON.parse(stored), {
      model,
      approvals: [{ approvalId, decision: "approve" }],
    });
    expect(done.text).toBe("Done.");
  }
  expect(desk.outbox()).toEqual([
    { recipient: "ada@example.com", subject: "Your leak", body: "We look into it." },
  ]);
});

test("a person may change the email", async () => {
  const { stored, approvalId } = await pausedAtEmail();
  const args = { subject: "Your leak", body: "We send you a new seal." };
  await run(agent, JSON.parse(stored), {
    model: new ScriptedModel(["Done."]),
    approvals: [{ approvalId, decision: "approve", arguments: args }],
  });
  expect(desk.outbox()).toEqual([{ recipient: "ada@example.com", ...args }]);
});

test("an email that is denied is not written, and the model is told why", async () => {
  const { stored, approvalId } = await pausedAtEmail();
  const result = await run(agent, JSON.parse(stored), {
    model: new ScriptedModel(["All right."]),
    approvals: [{ approvalId, decision: "deny", reason: "Call instead." }],
  });
  expect(resultsOf(result)[0]).toContain("Call instead.");
  expect(desk.outbox()).toEqual([]);
});

test("where the embedding model fails, the run reports it as progress, and the model does not see it", async () => {
  const failing = new HelpCentre(readArticles(), () => Promise.reject(new Error("connection refused")));
  const events: RunEvent[] = [];
  const model = new ScriptedModel([handOver, call("searchHelp", { question: "frost alarm" }), "Yes."]);
  const result = await run(supportBot(failing, desk), "Frost?", {
    model,
    onEvent: (event) => void events.push(event),
  });
  expect(events).toContainEqual(
    expect.objectContaining({ type: "tool-progress", value: "Searched by words only: connection refused" }),
  );
  expect(resultsOf(result)[1]).toMatch(/^Frost alarm/);
  expect(JSON.stringify(result.messages)).not.toContain("connection refused");
});

test("stopped at any tool, tickets and emails are those that the history tells of", async () => {
  const places = await stopAtEveryTool({
    open: () => {
      desk = new Desk();
      const model = new ScriptedModel([handOver, ticket, email, "Done."]);
      return { agent: supportBot(help, desk), model, context, decision: "approve" };
    },
    check: (done) => {
      expect(desk.tickets(context.email).length).toBe(done.includes("submitTicket") ? 1 : 0);
      expect(desk.outbox().length).toBe(done.includes("sendEmail") ? 1 : 0);
    },
  });
  expect(places).toBe(7);
});
