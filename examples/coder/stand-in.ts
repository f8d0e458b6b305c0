import type { ModelRequest } from "skein";
import { FunctionModel, type ScriptedToolCall, type ScriptedTurn } from "skein/testing";

/** The calls that a model makes one after the other, and what it says in the end. */
interface Script {
  readonly calls: readonly ScriptedToolCall[];
  readonly answer: string;
}

const call = (toolName: string, args: Record<string, string>): ScriptedToolCall => ({
  toolName,
  arguments: args,
});
const tests = call("bash", { command: "node --test --test-reporter=dot" });

const oldText = "  return Array.from({ length: parts }, () => share);";
const newText = `  const rest = cents % parts;
  return Array.from({ length: parts }, (_, index) => share + (index < rest ? 1 : 0));`;

/** The steps of the work; those before `current` are done. */
const steps = ["Find the cause", "Mend it", "Commit"];
const plan = (current: number): ScriptedToolCall => ({
  toolName: "write_todos",
  arguments: {
    todos: steps.map((content, index) => ({
      content,
      status: index < current ? "completed" : index === current ? "in_progress" : "pending",
    })),
  },
});

const scripts: Readonly<Record<"mend" | "explore" | "review" | "recall", Script>> = {
  mend: {
    calls: [
      call("memory", { command: "view", path: "/memories" }),
      tests,
      plan(0),
      call("explorer", {
        input: "Where is a bill split among guests, and what becomes of the rest of the division?",
      }),
      { toolName: "edit", arguments: { path: "src/money.js", edits: [{ oldText, newText }] } },
      tests,
      plan(2),
      call("reviewer", { input: "split() must not lose the rest of a division." }),
      call("load_skill", { name: "commit-messages" }),
      call("bash", { command: 'git commit -qam "Give the rest of a split to the first parts"' }),
      plan(3),
      call("memory", {
        command: "create",
        path: "/memories/money.md",
        file_text: "Amounts are whole cents. split() of src/money.js gives the rest to the first parts.\n",
      }),
    ],
    answer:
      "split() in src/money.js dropped the rest of the division. The first parts get a cent more now, and the tests pass.",
  },
  explore: {
    calls: [call("grep", { pattern: "split\\(", path: "src" }), call("read", { path: "src/money.js" })],
    answer:
      "src/money.js:2, split(), called by bill() in src/bill.js: every part is Math.floor(cents / parts), and cents % parts is lost.",
  },
  review: {
    calls: [call("diff", {})],
    answer: "Good. The parts add up to the amount again, and none differs by more than a cent.",
  },
  recall: {
    calls: [call("bash", { command: "git log --format=%s" })],
    answer: "Those are the commits. What was wrong is split() in src/money.js.",
  },
};

/** A stand-in for a model: it mends the bug of the sample project, so that the example works without a key and says the same each time. */
export function standIn(): FunctionModel {
  return new FunctionModel((request) => {
    const usage = { inputTokens: Math.ceil(JSON.stringify(request.messages).length / 4), outputTokens: 50 };
    return { ...nextTurn(request), usage };
  });
}

function nextTurn({ messages, tools = [] }: ModelRequest): ScriptedTurn {
  const question = messages.findLastIndex(({ role }) => role === "user");
  const script = scriptFor(
    JSON.stringify(messages[question]),
    tools.map(({ name }) => name),
  );
  if (!script)
    return { text: 'I know one bug. Say "Mend the failing test", and later ask what has changed.' };
  const results = messages
    .slice(question)
    .flatMap((message) => (message.role === "tool" ? [message.result] : []));
  const last = results.at(-1);
  if (last?.outcome === "denied") return { text: "The tests pass. The change is not committed." };
  if (last?.isError) return { text: "That did not work: I know the sample project alone." };
  const next = script.calls[results.length];
  return next ? { toolCalls: [next] } : { text: script.answer };
}

/** The tools say whose model it is. */
function scriptFor(question: string, tools: readonly string[]): Script | undefined {
  if (tools.includes("diff")) return scripts.review;
  if (!tools.includes("edit")) return scripts.explore;
  if (/what|log|history/i.test(question)) return scripts.recall;
  return /mend|fix|bug|test/i.test(question) ? scripts.mend : undefined;
}
