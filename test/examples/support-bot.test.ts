import { run } from "skein";
import { expect, test } from "vitest";
import { supportBot } from "../../examples/support-bot/agent.ts";
import { readArticles } from "../../examples/support-bot/articles.ts";
import { Desk } from "../../examples/support-bot/desk.ts";
import { HelpCentre } from "../../examples/support-bot/help-centre.ts";
import { startProvider, toolNames, told } from "./chat-provider.ts";
import { expectTranscript } from "./transcript.ts";

const open = (desk = new Desk()) => supportBot(new HelpCentre(readArticles()), desk);

test("the README's transcript is a real one", () => expectTranscript("support-bot", open()));

test("over the wire: contains the whole article, and the result of an email approved after a pause", async () => {
  const desk = new Desk();
  const agent = open(desk);
  const provider = await startProvider([
    [{ tool: "transfer_to_help_centre" }],
    [
      { tool: "searchHelp", arguments: { question: "warranty of a valve" } },
      { tool: "sendEmail", arguments: { subject: "Warranty", body: "Three years." } },
    ],
    "Valves have three years (Warranty). I have written that to you.",
  ]);
  const options = { model: provider.model, context: { email: "ada@example.com" } };
  const paused = await run(agent, "How long is the warranty of a valve? Mail it to me.", options);
  expect(paused.pending.map(({ toolName }) => toolName)).toEqual(["sendEmail"]);
  const approvalId = paused.pending[0]?.approvalId ?? "";
  const done = await run(agent, JSON.parse(JSON.stringify(paused.state)), {
    ...options,
    approvals: [{ approvalId, decision: "approve" }],
  });
  await provider.close();

  expect(done.text).toContain("three years");
  expect(desk.outbox()).toEqual([
    { recipient: "ada@example.com", subject: "Warranty", body: "Three years." },
  ]);
  const tools = ["searchHelp", "readArticle", "submitTicket", "listTickets", "sendEmail"];
  expect(provider.requests.map(toolNames)).toEqual([["transfer_to_help_centre"], tools, tools]);
  const last = provider.requests[2];
  expect(last && told(last).slice(2)).toEqual([
    ["assistant", "transfer_to_help_centre({})"],
    ["tool", expect.stringContaining("Help Centre")],
    [
      "assistant",
      'searchHelp({"question":"warranty of a valve"})',
      'sendEmail({"subject":"Warranty","body":"Three years."})',
    ],
    [
      "tool",
      expect.stringMatching(
        /^Warranty \[warranty\]\nHubs, probes and sensors have a warranty of two years, valves/,
      ),
    ],
    ["tool", "The email to ada@example.com is on its way."],
  ]);
  expect(last?.tools?.[2]).toEqual({
    type: "function",
    function: {
      name: "submitTicket",
      description: "Submit a ticket to the people of the support team.",
      parameters: {
        type: "object",
        properties: {
          subject: { type: "string", description: "What it is about, in a few words", maxLength: 200 },
          description: {
            type: "string",
            description: "What the customer wanted, what happened instead, and what was tried",
            maxLength: 5000,
          },
        },
        required: ["subject", "description"],
        additionalProperties: false,
      },
    },
  });
});
