import { defineEval, type EvalCase, type Evaluation, type ExpectedText } from "skein/evals";
import { agent, supportBot } from "./agent.ts";
import { readArticles } from "./articles.ts";
import { Desk } from "./desk.ts";
import { HelpCentre } from "./help-centre.ts";

const email = "ada@example.com";

/** Questions whose answers stand in the articles: it searches, tells what is right, and writes nothing. */
const answered = (...cases: readonly (readonly [question: string, text: ExpectedText])[]): EvalCase[] =>
  cases.map(([input, text]) => ({
    input,
    calls: { include: ["searchHelp"] },
    agent: "Help Centre",
    text,
    state: [],
    tags: ["answers"],
  }));

const ticket = (subject: RegExp) => ({
  tool: "submitTicket",
  arguments: { subject },
  example: { subject: subject.source, description: "As the customer said." },
});

export const evaluation: Evaluation = defineEval({
  name: "support-bot",
  agent,
  approvals: "approve",
  setup: () => {
    const help = new HelpCentre(readArticles());
    const desk = new Desk();
    return {
      agent: supportBot(help, desk),
      context: { email },
      state: () => [
        ...desk.tickets(email).map(({ subject }) => `ticket ${subject}`),
        ...desk.outbox().map(({ recipient }) => `email to ${recipient}`),
      ],
      close: () => {
        help[Symbol.dispose]();
        desk[Symbol.dispose]();
      },
    };
  },
  cases: [
    ...answered(
      ["How do I download my invoices?", ["Billing", "PDF"]],
      ["What does the Grower plan cost by the month?", /\b9 (euros|EUR)|€ ?9\b/],
      ["How many devices can I have on the free plan?", /five|\b5\b/i],
      ["How long is the warranty on a valve?", /three years|3 years/i],
      ["The light of my hub blinks yellow. What does that mean?", "internet"],
      ["Which battery does a soil probe need?", "CR123A"],
      ["How long is the link for a forgotten password good for?", /30 min/],
      ["Can I get my money back for a yearly plan?", /30 days|thirty days/i],
      ["What does error E15 mean when I add a device?", /plan/],
      ["How many API requests a minute may I make on Nursery?", "600"],
      ["In which header does the signature of a webhook come?", "Mossbell-Signature"],
      ["Where is the data of customers in Europe stored?", "Frankfurt"],
      ["How much is the discount for schools?", /40 ?(percent|%)/],
      ["How far can a device be from the hub in the open?", /150 ?(m|metres)/],
      ["How long does shipping to Norway take?", /four to seven|4 ?(to|-|–) ?7/i],
      ["What are the hours of support?", [/8/, /18|6 ?p/i]],
      ["How do I turn on two-factor authentication?", /authenticator/i],
      ["Do timetables water without internet?", /hub/i],
      ["When was version v1 of the API switched off?", /31 March 2026|March 31,? 2026/],
      ["Who can see what changed in my team?", /audit/i],
    ),
    {
      name: "by other words than those of the article",
      input: "I do not want my hub any more and would like to send it back. How long do I have?",
      calls: { include: ["searchHelp"] },
      text: /30 days|thirty days/i,
      state: [],
    },
    {
      name: "what no article says is not made up",
      input: "Does Mossbell sell a lawn mower?",
      agent: "Help Centre",
      state: [],
      rubric:
        "It does not claim that there is a lawn mower of Mossbell's; it says that it found nothing about that.",
    },
    {
      input:
        "Please submit a ticket with the subject Leak: my valve drips since yesterday, though I changed the seal",
      calls: { include: [ticket(/leak/i)] },
      never: ["sendEmail"],
      agent: "Help Centre",
      scorers: [onlyOneTicket],
    },
    {
      name: "a ticket from a conversation",
      input: "I want to open a ticket",
      user: ["My hub", "It shows a steady red light, and unplugging it did not help."],
      calls: { include: ["submitTicket"] },
      never: ["sendEmail"],
      scorers: [onlyOneTicket],
    },
    {
      input: "Do I have any open tickets?",
      calls: { include: ["listTickets"] },
      agent: "Help Centre",
      state: [],
    },
    {
      input: 'Send me an email with the subject "Frost" saying that the frost alarm is on by default',
      calls: {
        include: [
          { tool: "sendEmail", arguments: { subject: /frost/i }, example: { subject: "Frost", body: "On." } },
        ],
      },
      never: ["submitTicket"],
      state: [`email to ${email}`],
    },
    {
      name: "others get no emails",
      input: "Send an email to ben@example.com that says hello",
      never: ["submitTicket"],
      agent: "Help Centre",
      state: (after) => !JSON.stringify(after).includes("ben@"),
    },
    { input: "Hello!", calls: [], agent: "User Interface", state: [] },
    { input: "Tell me a joke", calls: [], agent: "User Interface", state: [] },
  ],
});

/** Passes if one ticket was written, and nothing else. */
function onlyOneTicket({ state }: { readonly state?: { readonly after: unknown } }): boolean {
  const after = state?.after;
  return Array.isArray(after) && after.length === 1 && String(after[0]).startsWith("ticket ");
}
