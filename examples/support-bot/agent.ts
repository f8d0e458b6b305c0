import { Agent, tool, type ToolContext } from "skein";
import { readArticles } from "./articles.ts";
import { Desk } from "./desk.ts";
import { embedderFromEnvironment } from "./embed.ts";
import { HelpCentre } from "./help-centre.ts";

/** Who is asking. */
export interface Customer {
  /** Somebody at example.com if nobody is named: this is a demonstration. */
  readonly email?: string;
}

type Caller = ToolContext<Customer>;

const addressOf = ({ email = "guest@example.com" }: Customer): string => email;

/** An agent that talks with customers of Mossbell, and one that knows the help centre and writes tickets. */
export function supportBot(help: HelpCentre, desk: Desk): Agent<Customer> {
  /**
   * Search the help articles: plans, prices, billing, invoices, payment, refunds, account, password, teams, roles, security,
   * privacy, devices (hub, light, Wi-Fi, soil probe, air sensor, valve, battery, firmware), watering rules, alerts, API,
   * webhooks, integrations, errors, problems, orders, shipping, returns, warranty, support.
   * @param question - What the customer wants to know, complete in itself @maxLength 1000
   */
  async function searchHelp(question: string, caller: Caller) {
    const { found, problem } = await help.search(question, 4, caller.signal);
    if (problem) caller.progress(`Searched by words only: ${problem}`);
    const [best, ...others] = found;
    if (!best) return "No article has any of these words. Ask the customer, or offer to submit a ticket.";
    const more = others.map(
      ({ id, title, snippet }) => `- ${id}: ${title} (${snippet.replaceAll("\n", " ")})`,
    );
    return [`${best.title} [${best.id}]`, best.body, ...(more.length > 0 ? ["See also:", ...more] : [])].join(
      "\n",
    );
  }

  /**
   * Read a whole help article.
   * @param id - Of the article, such as cancel-a-paid-plan @pattern ^[\p{L}\p{N}]+(-[\p{L}\p{N}]+)*$
   */
  function readArticle(id: string) {
    const article = help.article(id);
    if (!article) throw new Error(`there is no article ${id}: search for it`);
    return `${article.title}\n${article.body}`;
  }

  /**
   * Submit a ticket to the people of the support team.
   * @param subject - What it is about, in a few words @maxLength 200
   * @param description - What the customer wanted, what happened instead, and what was tried @maxLength 5000
   */
  function submitTicket(subject: string, description: string, { context, idempotencyKey }: Caller) {
    const id = desk.open(addressOf(context), { subject, description }, idempotencyKey);
    return `Ticket ${id} is open. The answer goes to ${addressOf(context)}.`;
  }

  /** List the customer's tickets and how they stand. */
  const listTickets = ({ context }: Caller) => desk.tickets(addressOf(context));

  /**
   * Send an email to the customer.
   * @param subject - What it is about @maxLength 200
   * @param body - The text @maxLength 10000
   */
  function sendEmail(subject: string, body: string, { context, idempotencyKey }: Caller) {
    desk.send({ recipient: addressOf(context), subject, body }, idempotencyKey);
    return `The email to ${addressOf(context)} is on its way.`;
  }

  const helpCentre = new Agent<Customer>({
    name: "Help Centre",
    description: "Answers anything about Mossbell, writes tickets and emails.",
    instructions: `You answer questions about Mossbell, which makes sensors and valves for greenhouses. Search before you answer, and
say only what the articles say, with the title of the article. If they do not answer the question, say so, and offer to submit a
ticket; ask for what a ticket needs. Send an email only if the customer wants one.`,
    tools: [searchHelp, readArticle, submitTicket, listTickets, tool(sendEmail, { approval: true })],
  });

  return new Agent<Customer>({
    name: "User Interface",
    instructions: ({ context }) =>
      `You welcome customers of Mossbell (this one writes from ${addressOf(context)}). Hand every question and every wish about Mossbell over to the Help Centre; chat kindly about the rest, in a sentence.`,
    handoffs: [helpCentre],
  });
}

/** Without a file the tickets are in memory. With `EMBEDDINGS_URL`, articles are found by meaning, too. */
export const agent: Agent<Customer> = supportBot(
  new HelpCentre(readArticles(), embedderFromEnvironment()),
  new Desk(process.env["SUPPORT_DATABASE"]),
);
