/** What of a client's input is too much. Lengths are characters. */
export const limits = {
  messages: 10_000,
  parts: 1_000,
  calls: 1_000,
  tools: 500,
  context: 1_000,
  resume: 1_000,
  id: 1_000,
  name: 256,
} as const;
