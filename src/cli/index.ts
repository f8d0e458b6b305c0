export { chat, type ChatOptions, type ChatOutcome } from "./chat.ts";
