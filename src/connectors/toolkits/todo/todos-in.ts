import type { Message } from "../../../message/messages.ts";
import { isPlainObject } from "../../../base/util/json.ts";
import { type TodoItem, todoStatuses } from "./todo-item.ts";
import { todoTool } from "./todo.ts";

/**
 * The list of tasks as a history has it, for a page or a log: the latest that a model wrote; empty where there is none.
 * @param messages - Those of a state, a session, or a result.
 * @param toolName - The tool's name, where a toolset has renamed it.
 */
export function todosIn(messages: readonly Message[], toolName: string = todoTool): readonly TodoItem[] {
  const latest = messages.findLast(
    (message) =>
      message.role === "tool" && message.result.toolName === toolName && message.result.outcome === "success",
  );
  return (latest?.role === "tool" && todosOf(latest.result.structuredContent)) || [];
}

/** The list of tasks that a result has; `undefined` for a result that is none. */
export function todosOf(value: unknown): readonly TodoItem[] | undefined {
  const todos: unknown = isPlainObject(value) ? value["todos"] : undefined;
  return Array.isArray(todos) && todos.every(isItem) ? todos : undefined;
}

/** A history may come from anywhere. */
function isItem(value: unknown): value is TodoItem {
  return (
    isPlainObject(value) &&
    typeof value["content"] === "string" &&
    todoStatuses.some((status) => status === value["status"])
  );
}
