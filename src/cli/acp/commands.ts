import type { AvailableCommand } from "@agentclientprotocol/sdk";

/** What the user can type. */
export const commands: AvailableCommand[] = [
  {
    name: "continue",
    description: "Goes on with the last run: after a limit, a failure, or a question that was left open.",
  },
];

/** Whether a prompt is `/continue`. */
export function isContinue(text: string): boolean {
  return /^\s*\/continue\s*$/.test(text);
}
