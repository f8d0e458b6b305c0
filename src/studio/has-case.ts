import type { ToolStep } from "./records.ts";

/** Whether a call can be copied as a test: something came of it that comes of it again. */
export function hasCase({ outcome, answered }: ToolStep): boolean {
  return outcome !== undefined && outcome !== "cancelled" && outcome !== "not-executed" && !answered;
}
