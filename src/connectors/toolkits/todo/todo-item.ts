/** How a task stands. */
export type TodoStatus = "pending" | "in_progress" | "completed";

/** A task of a list. */
export interface TodoItem {
  /** What is to be done. */
  readonly content: string;
  readonly status: TodoStatus;
}

/** How a task can stand. */
export const todoStatuses: readonly TodoStatus[] = ["pending", "in_progress", "completed"];
