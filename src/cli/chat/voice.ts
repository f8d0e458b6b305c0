/** How the chat shows what happens in a run: in signs at a glance, or in words that can be read aloud. */
export interface Voice {
  /** Stands before what a person says, and before each further line of it. */
  readonly prompt: string;
  readonly furtherPrompt: string;
  readonly thinking: string;
  /** Stand before a call, and what comes of it. */
  readonly call: string;
  readonly result: string;
  readonly failure: string;
  readonly progress: string;
  readonly request: string;
  readonly warning: string;
  handoff(from: string, to: string): string;
  note(text: string): string;
}

/** Signs: `→` calls, `←` returns, `✗` fails. */
export const signs: Voice = {
  prompt: "> ",
  furtherPrompt: "… ",
  thinking: " (thinking)",
  call: "  → ",
  result: "  ← ",
  failure: "  ✗ ",
  progress: "  … ",
  request: "  ? ",
  warning: "! ",
  handoff: (from, to) => `${from} → ${to}`,
  note: (text) => `(${text})`,
};

/** Words, for people who hear the screen read aloud. */
export const words: Voice = {
  prompt: "You: ",
  furtherPrompt: "More: ",
  thinking: ", thinking",
  call: "Calling ",
  result: "Result: ",
  failure: "Failed: ",
  progress: "Progress: ",
  request: "Asks to call ",
  warning: "Warning: ",
  handoff: (from, to) => `${from} hands over to ${to}.`,
  note: (text) => `Note: ${text}.`,
};
