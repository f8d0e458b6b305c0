import { tool } from "../../../tool/define.ts";
import { result } from "../../../tool/result.ts";
import type { Tool } from "../../../tool/types.ts";
import { type TodoItem, todoStatuses } from "./todo-item.ts";

/** The most tasks of a list, and the longest of them, in characters. */
const mostItems = 100;
const longestContent = 500;

/** The name of the tool, unless a toolset renames it. */
export const todoTool = "write_todos";

const description =
  "Write the list of tasks of this conversation. It replaces the list before: pass all tasks, in order. Use it for work of three steps or more. " +
  "Keep one task in_progress, and mark each as completed as soon as it is done.";

const input = {
  type: "object",
  properties: {
    todos: {
      type: "array",
      maxItems: mostItems,
      items: {
        type: "object",
        properties: {
          content: {
            type: "string",
            minLength: 1,
            maxLength: longestContent,
            description: "What is to be done.",
          },
          status: { type: "string", enum: [...todoStatuses] },
        },
        required: ["content", "status"],
        additionalProperties: false,
      },
    },
  },
  required: ["todos"],
  additionalProperties: false,
};

/**
 * A list of tasks that a model keeps: the tool `write_todos`. The list is the result of the latest call, so it comes behind all that was
 * sent before, and what a provider has cached of that stays valid. A compaction keeps the latest list.
 * ```ts
 * new Agent({ name: "Coder", tools: [todo()] })
 * ```
 */
export function todo(): Tool {
  const write = tool<{ readonly todos: readonly TodoItem[] }>({
    name: todoTool,
    description,
    input,
    output: input,
    tags: ["plan"],
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
    execute: ({ todos }) => result({ value: { todos }, content: printTodos(todos) }),
  });
  return Object.freeze({ ...write, keepLatest: true });
}

const marks = { pending: "[ ]", in_progress: "[>]", completed: "[x]" } as const;

function printTodos(todos: readonly TodoItem[]): string {
  if (todos.length === 0) return "The list of tasks is empty.";
  const lines = todos.map(({ content, status }) => `${marks[status]} ${content.replaceAll(/\s+/g, " ")}`);
  const done = todos.filter(({ status }) => status === "completed").length;
  return `${lines.join("\n")}\n${done} of ${todos.length} done.`;
}
