import { Agent, run } from "skein";

const agent = new Agent({ name: "Helper", instructions: "You are a helpful agent." });

const { text } = await run(agent, "Hi!");
console.log(text);
