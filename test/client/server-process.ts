/** A server that tests kill: `server-process.ts PORT STORE WORD`. It writes a line to its output once it listens. */
import { Agent, tool } from "skein";
import { sqliteStore } from "skein/durable";
import { serve } from "skein/server";
import { FunctionModel } from "skein/testing";

const [port = "0", file = "", word = "word"] = process.argv.slice(2);

/** Look something up. */
async function look(page: number) {
  await new Promise((resolve) => setTimeout(resolve, 20));
  return `Page ${page}.`;
}

/** Delete a page. */
function erase(page: number) {
  return `Page ${page} is no more.`;
}

/** Looks at two pages, one after the other, then speaks for a while. */
const reader = new FunctionModel(({ messages }) => {
  const turns = messages.filter(({ role }) => role === "assistant").length;
  return turns < 2
    ? { text: "I look. ", toolCalls: [{ toolName: "look", arguments: { page: turns } }], delay: 10 }
    : { text: `${word} `.repeat(40), chunkSize: word.length + 1, delay: 10 };
});
const eraser = new FunctionModel(({ messages }) =>
  messages.at(-1)?.role === "user"
    ? { toolCalls: [{ toolName: "erase", arguments: { page: 1 } }] }
    : { text: "It is done.", chunkSize: 2, delay: 10 },
);

const server = serve(
  [
    new Agent({ name: "Reader", model: reader, tools: [look] }),
    new Agent({ name: "Eraser", model: eraser, tools: [tool(erase, { approval: true })] }),
  ],
  { store: sqliteStore(file), onError: () => {} },
);
const { url } = await server.listen({ port: Number(port) });
process.stdout.write(url);
// It ends with the test, whatever becomes of that.
process.stdin.once("end", () => process.exit()).resume();
