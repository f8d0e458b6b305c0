import { createInterface } from "node:readline";
import { Agent, type Message, run } from "skein";

let agent = new Agent({ name: "Helper", instructions: "You are a helpful agent." });
let messages: readonly Message[] = [];

process.stdout.write("> ");
for await (const line of createInterface({ input: process.stdin })) {
  const result = await run(agent, [...messages, { role: "user", content: line }]);
  console.log(`${result.agent.name}: ${result.text}`);
  // Who has the lead, and all that was said, go into the next round.
  agent = result.agent;
  messages = result.state.messages;
  process.stdout.write("> ");
}
