import { Agent, result, run, type ToolContext } from "skein";

interface Account {
  name: string;
  credits: number;
}

/** Show the user's account. */
function showAccount({ context }: ToolContext<Account>) {
  return `${context.name} has ${context.credits} credits.`;
}

/**
 * Add credits to the user's account.
 * @param amount - How many @integer @minimum 1
 */
function addCredits(amount: number, { context }: ToolContext<Account>) {
  const credits = context.credits + amount;
  return result({ value: `There are ${credits} credits now.`, context: { credits } });
}

const agent = new Agent<Account>({
  name: "Helper",
  instructions: ({ context }) => `You are a helpful agent. The user is called ${context.name}.`,
  tools: [showAccount, addCredits],
});

const account: Account = { name: "James", credits: 3 };
const first = await run(agent, "Show my account, please", { context: account });
console.log(first.text);
const second = await run(agent, "Please add 5 credits", { context: first.context });
console.log(second.text);
console.log(second.context);
