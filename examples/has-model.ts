/** Whether the environment names a model. Where it does not, examples that have a script of their own answer by that. */
export const hasModel: boolean = [
  "SKEIN_MODEL",
  "ANTHROPIC_API_KEY",
  "OPENAI_API_KEY",
  "GEMINI_API_KEY",
].some((name) => process.env[name]);

/** What such an example says first. */
export const scriptedNotice =
  "A scripted stand-in answers. For a real model, set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY.";
