/** The small programs of this folder in one, to talk to: a tool, a context and a handoff. */
import { Agent, type ToolContext, triage } from "skein";

/** What the application knows of the user. */
export interface Account {
  readonly name?: string;
  readonly userId?: number;
}

/**
 * Get the current weather in a city.
 * @param city - City name, such as "Paris"
 */
function getWeather(city: string) {
  return { city, degrees: 18, unit: "celsius" };
}

/** Show the account of the user: name and number. */
function showAccount({ context }: ToolContext<Account>) {
  const { name = "nobody", userId = 0 } = context;
  return `Account ${userId}: ${name}`;
}

const spanish = new Agent<Account>({
  name: "Spanish",
  description: "Speaks with everybody who says hola: habla español.",
  instructions: "You only speak Spanish. Hand back to English if the user speaks English.",
});

/** Speaks English, and hands over to the agent that speaks Spanish. */
export const agent: Agent<Account> = triage<Account>([spanish], {
  name: "English",
  description: "Speaks English.",
  instructions: ({ context }) =>
    `You only speak English. Greet the user by name (${context.name ?? "unknown"}).`,
  tools: [getWeather, showAccount],
});
