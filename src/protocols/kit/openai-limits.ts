/** The most of what a request of OpenAI's APIs may have. Its bytes are limited by what reads it. */
export const limits = {
  /** Characters of a text, as in OpenAI's API. */
  text: 10_485_760,
  /** Characters of an address, which may hold an image or a file. */
  url: 52_428_800,
  messages: 4_096,
  parts: 1_024,
  tools: 128,
  calls: 128,
  id: 512,
} as const;
