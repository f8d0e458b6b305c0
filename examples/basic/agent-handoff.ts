import { Agent, run } from "skein";

const spanish = new Agent({
  name: "Spanish",
  description: "Speaks with everybody who says hola: habla español.",
  instructions: "You only speak Spanish.",
});

const english = new Agent({
  name: "English",
  instructions: "You only speak English.",
  handoffs: [spanish],
});

const { agent, text } = await run(english, "Hola. ¿Habla español?");
console.log(`${agent.name}: ${text}`);
