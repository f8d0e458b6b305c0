/** The agents that the tests of `skein acp` serve, as the file of a project. Its models answer by what the user has written. */
export const team = `import { Agent, result, tool } from "skein";
import { guard } from "skein/guards";
import { FunctionModel } from "skein/testing";

console.log("the module prints");

/** The user's last message. */
function lastInput(messages) {
  const last = messages.findLast((message) => message.role === "user");
  return typeof last.content === "string" ? last.content : JSON.stringify(last.content);
}

const hasResult = (messages) => messages.at(-1).role === "tool";
const call = (toolName, args = {}) => ({ text: "One moment. ", toolCalls: [{ toolName, arguments: args }] });

const lookUp = tool({
  name: "look_up",
  description: "Looks a word up.",
  readOnlyHint: true,
  input: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
  execute: async function* ({ word }) {
    console.log("a tool prints");
    process.stdout.write("straight to standard output");
    yield "half way";
    return { word, meaning: "\\u001b[31mred\\u001b[0m" };
  },
});

const pay = tool({
  name: "pay",
  description: "Pays.",
  approval: true,
  input: { type: "object", properties: { euros: { type: "number" } }, required: ["euros"] },
  execute: ({ euros }) => \`paid \${euros}\`,
});

const edit = tool({
  name: "edit_file",
  description: "Edits a file.",
  destructiveHint: true,
  input: { type: "object", properties: {} },
  execute: () => ({ path: "src/a.ts", oldText: "one", newText: "two" }),
});

const fail = tool({
  name: "fail",
  description: "Fails.",
  input: { type: "object", properties: {} },
  execute: () => { throw new Error("out of paper"); },
});

const wait = tool({
  name: "wait",
  description: "Waits for ever.",
  input: { type: "object", properties: {} },
  execute: (_, { signal }) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
});

const place = tool({
  name: "where",
  description: "Says where the editor is.",
  input: { type: "object", properties: {} },
  execute: (_, { context }) => ({ cwd: context.editor.cwd, user: context.user }),
});

const elsewhere = tool({ name: "elsewhere", description: "Is executed elsewhere.", input: { type: "object", properties: {} } });

const cashier = new Agent({
  name: "Cashier",
  description: "Pays.",
  tools: [pay],
  model: new FunctionModel(({ messages }) =>
    hasResult(messages) ? "The cashier is done." : { toolCalls: [{ toolName: "pay", arguments: { euros: 3 } }] },
  ),
});

const model = new FunctionModel(({ messages }) => {
  const input = lastInput(messages);
  if (input.includes("break")) throw new Error("the model is down");
  if (input.includes("loop")) return call("look_up", { word: String(messages.length) });
  if (input.includes("think") && !hasResult(messages))
    return { reasoning: "Let me think.", ...call("look_up", { word: "goose" }) };
  if (input.includes("tour")) {
    const results = messages.slice(messages.findLastIndex(({ role }) => role === "user")).filter(({ role }) => role === "tool").length;
    if (results === 0) return { reasoning: "Let me think.", ...call("look_up", { word: "goose" }) };
    if (results === 1) return call("pay", { euros: 5 });
    if (results === 2) return call("cashier", { input: "pay 3" });
    return "The tour is over.";
  }
  if (hasResult(messages)) return \`Done: \${messages.at(-1).result.content.map(({ text }) => text).join("")}\`;
  if (input.includes("look")) return call("look_up", { word: "goose" });
  if (input.includes("two payments"))
    return { toolCalls: [1, 2].map((euros) => ({ toolName: "pay", arguments: { euros } })) };
  if (input.includes("pay")) return call("pay", { euros: 5 });
  if (input.includes("delegate")) return call("cashier", { input: "pay 3" });
  if (input.includes("edit")) return call("edit_file");
  if (input.includes("fail")) return call("fail");
  if (input.includes("wait")) return call("wait");
  if (input.includes("where")) return call("where");
  if (input.includes("hand over")) return call("transfer_to_other");
  if (input.includes("outside")) return call("elsewhere");
  if (input.includes("escape")) return "\\u001b[31mred\\u001b[0m \\u202Egnp";
  return \`Heard \${messages.filter(({ role }) => role === "user").length}: \${input}\`;
});

export const other = new Agent({
  name: "Other",
  description: "The other one.",
  model: new FunctionModel(({ messages }) => \`Other heard \${messages.length}.\`),
});

export const typed = new Agent({
  name: "Typed",
  model: new FunctionModel(({ tools }) => ({ toolCalls: [{ toolName: tools.at(-1).name, arguments: { total: 3 } }] })),
  output: { type: "object", properties: { total: { type: "number" } }, required: ["total"] },
});

const last = tool({
  name: "last_word",
  description: "Has the last word.",
  input: { type: "object", properties: {} },
  execute: () => result({ value: "The tool has the last word.", final: true }),
});

export const short = new Agent({
  name: "Short",
  model: new FunctionModel(() => ({ text: "I ask. ", toolCalls: [{ toolName: "last_word", arguments: {} }] })),
  tools: [last],
});

export const agent = new Agent({
  name: "Main",
  model,
  tools: [lookUp, pay, edit, fail, wait, place, elsewhere, cashier.asTool({ name: "cashier" })],
  handoffs: [other],
  middleware: [
    guard(
      { output: ({ text }) => (text.includes("secret") ? "it names the secret" : undefined) },
      { message: "That stays here." },
    ),
  ],
});
`;
