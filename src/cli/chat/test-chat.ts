import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, vi } from "vitest";
import type { Agent } from "../../agent/agent.ts";
import { chat, type ChatOptions, type ChatOutcome } from "./chat.ts";

/** What a terminal sends for Ctrl-C. */
export const ctrlC = "\u0003";

/** How long a busy machine may take until something is seen, in milliseconds. */
export const patience: { readonly timeout: number } = { timeout: 10_000 };

/** The transcript of a chat over pipes. */
export async function transcript(
  agent: Agent,
  lines: readonly string[],
  options: ChatOptions = {},
): Promise<string> {
  const input = new PassThrough();
  const output = new PassThrough();
  input.end(lines.map((line) => `${line}\n`).join(""));
  let text = "";
  output.on("data", (data) => (text += String(data)));
  await chat(agent, { ...options, input, output });
  // What was written last is handed out with the next tick.
  await new Promise((resolve) => setImmediate(resolve));
  return text;
}

/** A chat on what looks like a terminal, and what a person sees and does there. */
export function terminalChat(agent: Agent): {
  readonly done: Promise<ChatOutcome>;
  type(keys: string): void;
  /** Ends the input, as a terminal does that goes away. */
  end(): void;
  /** Waits until the text has appeared after what was seen before. */
  see(text: string): Promise<string>;
} {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  let shown = "";
  let seen = 0;
  output.on("data", (data) => (shown += stripVTControlCharacters(String(data))));
  return {
    done: chat(agent, { input, output }),
    type: (keys) => void input.write(keys),
    end: () => void input.end(),
    async see(text) {
      await vi.waitFor(() => expect(shown.slice(seen)).toContain(text), patience);
      seen = shown.indexOf(text, seen) + text.length;
      return shown;
    },
  };
}
